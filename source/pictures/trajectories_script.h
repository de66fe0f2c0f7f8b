// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_pictures_trajectories_script_h
#define ricochet_source_pictures_trajectories_script_h

namespace Ricochet
{
  /**
   * The script that draws trajectories.png from bodies.csv and outlines.csv
   * with gnuplot, but for its start, which defines dim, n, the number of
   * bodies, their colors, and where u(x,y,z) and v(x,y,z) a point is seen; and
   * for what follows it, the legend.
   */
  constexpr const char *trajectories_script =
    R"gnuplot(
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {
  set terminal pngcairo size 1300,1000 font 'Sans,11' noenhanced
} else {
  set terminal png size 1300,1000
}
set output 'plots/trajectories.png'
set datafile separator comma
set datafile missing NaN
set datafile columnheaders

# Long runs are thinned out; the earlier an outline, the paler.
stats 'bodies.csv' using (column('time')) name 'X' nooutput
stats 'plots/outlines.csv' using (column('time')) name 'T' nooutput
thin = n * (X_records > 5000 * n ? ceil(X_records / (5000. * n)) : 1)
share(t) = T_max > T_min ? 0.15 + 0.75 * (t - T_min) / (T_max - T_min) : 0.9
shade(c) = int(255 - (255 - c) * share(column('time')))
color(r, g, b) = 65536 * shade(r) + 256 * shade(g) + shade(b)

set size ratio -1
set tmargin 4
if (dim == 2) {
  set border lc rgb '#808080'
  set tics out nomirror scale 0.6
  set format '%.4g'
} else {
  unset border
  unset tics
}
set key outside right top vertical Left reverse samplen 1 spacing 1.2
set label sprintf('t = %g to %g', T_min, T_max) at graph 0,1 offset 0,1.2 \
  font ',13'
set label 'outlines of the bodies, paths of their centres' \
  at graph 1,1 offset 0,1.2 right textcolor rgb '#606060'
plot 'plots/outlines.csv' \
    using 1:2:(color(column('red'), column('green'), column('blue'))) \
    with lines lw 1.2 lc rgb variable notitle, \
  for [i=0:n-1] 'bodies.csv' \
    using (u(column('cx'), column('cy'), column('cz'))): \
          (v(column('cx'), column('cy'), column('cz'))) \
    every thin::i with lines lw 1.5 lc rgb word(colors, i + 1) notitle)gnuplot";
} // namespace Ricochet

#endif
