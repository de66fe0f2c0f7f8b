// SPDX-License-Identifier: LGPL-2.1-or-later

#ifndef ricochet_source_pictures_history_script_h
#define ricochet_source_pictures_history_script_h

namespace Ricochet
{
  /** The script that draws history.png from history.csv with gnuplot. */
  constexpr const char *history_script =
    R"gnuplot(# Draws plots/history.png from history.csv. In the output directory:
#   gnuplot plots/history.gp
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {
  set terminal pngcairo size 1400,1000 font 'Sans,11' noenhanced
} else {
  set terminal png size 1400,1000
}
set output 'plots/history.png'

file = 'history.csv'
set datafile separator comma
set datafile missing NaN
set datafile columnheaders

# Norm of a vector's change since the first line, n being the line's number.
magnitude(x, y, z) = sqrt(x**2 + y**2 + z**2)
x0 = y0 = z0 = 0
change(n, x, y, z) = (n == 0 ? (x0 = x, y0 = y, z0 = z) : 0, \
                      magnitude(x - x0, y - y0, z - z0))
dp(n) = change(n, column('px'), column('py'), column('pz'))
dl(n) = change(n, column('lx'), column('ly'), column('lz'))
de(n) = (n == 0 ? (x0 = column('total_energy')) : 0, \
         column('total_energy') - x0)
ds(n) = (n <= 1 ? (y0 = column('shadow_energy')) : 0, \
         column('shadow_energy') - y0)
positive(x) = x > 0 ? x : NaN

# What is zero all the time is left out; long runs are thinned out.
energy(n) = abs(column('kinetic_energy')) + abs(column('internal_energy'))
stats file using (energy(0)) name 'E' nooutput
stats file using (abs(column('dissipated_energy'))) name 'D' nooutput
stats file using (abs(column('external_work'))) name 'W' nooutput
stats file using (abs(column('contact_work'))) name 'C' nooutput
stats file using (dp($0)) name 'P' nooutput
stats file using (dl($0)) name 'L' nooutput
stats file using (abs(column('l_error'))) name 'A' nooutput
stats file using (column('node_face') + column('edge_edge')) name 'N' nooutput
thin = E_records > 20000 ? ceil(E_records / 20000.) : 1
scale = E_max > 0 ? E_max : 1

set style line 1 lc rgb '#0072b2' lw 1.5
set style line 2 lc rgb '#e69f00' lw 1.5
set style line 3 lc rgb '#d55e00' lw 1.5
set style line 4 lc rgb '#cc79a7' lw 1.5
set style line 5 lc rgb '#009e73' lw 1.5
set style line 9 lc rgb '#202020' lw 2
set style line 20 lc rgb '#e0e0e0' lw 1
set grid back linestyle 20
set border 3 lc rgb '#808080'
set tics nomirror out scale 0.6 textcolor rgb '#303030'
set format x '%.4g'
set key at graph 0,1.02 bottom left horizontal Left reverse maxrows 1 \
  samplen 2 font ',10' textcolor rgb '#303030'
set xlabel 'time' textcolor rgb '#303030'
set ylabel textcolor rgb '#303030'
set lmargin 13
set rmargin 4
set tmargin 5
set bmargin 4
stats file using (column('time')) name 'X' nooutput
if (X_max > X_min) { set xrange [X_min:X_max] }

set multiplot layout 2,2

set label 1 'Energy' at graph 0,1 offset 0,3.3 font ',13' textcolor rgb '#303030'
set ylabel 'energy'
plot file using 'time':'kinetic_energy' every thin \
    with lines ls 1 title 'kinetic', \
  file using 'time':'internal_energy' every thin \
    with lines ls 2 title 'strain', \
  for [i=1:D_max>1e-9*scale] file using 'time':'dissipated_energy' every thin \
    with lines ls 3 title 'dissipated', \
  for [i=1:W_max>1e-9*scale] file using 'time':'external_work' every thin \
    with lines ls 4 title 'external work', \
  for [i=1:C_max>1e-9*scale] file using 'time':'contact_work' every thin \
    with lines ls 5 title 'contact work', \
  file using 'time':'total_energy' every thin \
    with lines ls 9 title 'total'

set label 1 'Error of the energy balance'
set ylabel 'change / largest energy'
set format y '%.3g'
plot file using 'time':(ds($0) / scale) every thin \
    with lines ls 1 title 'shadow', \
  file using 'time':(de($0) / scale) every thin \
    with lines ls 9 lw 1 title 'total'

set label 1 'Momentum'
set ylabel 'absolute change'
if (P_max > 0 || L_max > 0 || A_max > 0) {
  set logscale y
  set format y '1e%T'
}
plot \
  for [i=1:P_max>0] file using 'time':(positive(dp($0))) every thin \
    with lines ls 1 title 'linear', \
  for [i=1:L_max>0] file using 'time':(positive(dl($0))) every thin \
    with lines ls 2 title 'angular', \
  for [i=1:A_max>0] file using 'time':(positive(abs(column('l_error')))) \
    every thin with lines ls 9 title 'angular, not explained', \
  for [i=1:P_max<=0 && L_max<=0 && A_max<=0] 0 \
    with lines ls 9 title 'none'
unset logscale y

set label 1 'Contact'
set ylabel 'number per step'
set format y '%.0f'
if (N_max < 10) { set ytics 1 }
if (N_max > 0) { set yrange [0:*] } else { set yrange [0:1] }
plot file using 'time':'passes' every thin \
    with lines lc rgb '#b0b0b0' lw 1 title 'passes', \
  file using 'time':'node_face' every thin \
    with impulses ls 1 lw 1 title 'node-face', \
  file using 'time':(positive(column('edge_edge'))) every thin \
    with points ls 2 pt 7 ps 0.4 title 'edge-edge'
unset multiplot
)gnuplot";
} // namespace Ricochet

#endif
