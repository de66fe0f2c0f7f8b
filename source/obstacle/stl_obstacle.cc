// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/obstacle/obstacle.h>
#include <ricochet/obstacle/stl_surface.h>

#include <deal.II/base/patterns.h>

#include <sstream>
#include <utility>

namespace Ricochet
{
  namespace
  {
    std::string
    text_of(const double number)
    {
      std::ostringstream text;
      text << number;
      return text.str();
    }



    /** "Obstacle '...', 'stl/Mesh file' = ...: " and what to know. */
    class Notes
    {
    public:
      explicit Notes(const std::string &where)
        : where(where)
      {}

      void
      add(const std::string &sentence)
      {
        sentences.push_back(where + ": " + sentence);
      }

      const std::string where;
      std::vector<std::string> sentences;
    };



    void
    note_open_shells(const SurfaceCheck &check, Notes &notes)
    {
      unsigned int n_open = 0, n_edges = 0;
      std::ostringstream place;
      for (const Shell &shell : check.shells)
        if (!shell.is_closed())
          {
            if (n_open == 0)
              place << "(" << shell.open_edge[0] << ") to ("
                    << shell.open_edge[1] << ")";
            ++n_open;
            n_edges += shell.n_open_edges;
          }
      if (n_open > 0)
        notes.add(
          (check.shells.size() == 1 ? "the surface is open: "
                                    : std::to_string(n_open) + " of the " +
                                        std::to_string(check.shells.size()) +
                                        " pieces of the surface are open: ") +
          std::to_string(n_edges) + (n_edges == 1 ? " edge" : " edges") +
          " with one triangle only, such as that from " + place.str() +
          ". What is open is a sheet that stops bodies on both of its sides.");
    }



    /**
     * Refuse closed shells that face the wrong way. Where bodies are outside,
     * the outermost face outward, and those inside of a solid inward; where
     * they are inside of a cavity, it is the other way round, as if all space
     * around were solid.
     *
     * @param[in] either Whether the outermost may face inward without
     *   @p is_cavity.
     */
    void
    check_orientation(const SurfaceCheck &check,
                      bool is_cavity,
                      const bool either,
                      Notes &notes)
    {
      const std::string &where = notes.where;
      unsigned int n_inward = 0, n_outward = 0; // of the outermost
      double volume = 0.;
      for (const Shell &shell : check.shells)
        if (shell.has_volume && shell.depth == 0)
          {
            ++(shell.volume < 0. ? n_inward : n_outward);
            volume += shell.volume;
          }
      if (n_inward > 0 && n_outward == 0 && !is_cavity)
        {
          require(either,
                  where +
                    ": the closed surface faces inward, as its volume of " +
                    text_of(volume) +
                    " tells, so that it is the wall of a cavity. Set 'Reverse "
                    "= true' to make it a solid, or 'Cavity = true' if the "
                    "bodies are inside.");
          is_cavity = true;
          notes.add(
            "reversed, the closed surface faces inward and is the wall "
            "of a cavity with the volume " +
            text_of(-volume) + ".");
        }
      require(!is_cavity || n_outward == 0 || n_inward > 0,
              where + ": the closed surface faces outward, as its volume of " +
                text_of(volume) +
                " tells, but 'Cavity = true' says that bodies are inside. "
                "Change 'Reverse' to turn it, or leave 'Cavity' out.");
      for (const Shell &shell : check.shells)
        {
          if (!shell.has_volume)
            continue;
          const int level       = shell.depth + (is_cavity ? 1 : 0);
          const bool is_outward = shell.volume > 0.;
          std::ostringstream name;
          name << "the closed piece of the surface with the volume "
               << shell.volume << " around (" << shell.middle << ")";
          require(is_outward ? !is_cavity || shell.depth != 0 : level > 0,
                  where + ": " + name.str() + " faces " +
                    (is_outward ? "outward" : "inward") +
                    ", other than the rest. Turn it in the program that wrote "
                    "the file.");
          if (is_outward && level > 0)
            notes.add(name.str() +
                      " lies inside of another one, where no body can be. If "
                      "it is the wall of a hole, it must face inward.");
        }
    }
  } // namespace



  /** The triangles of an STL file; deal.II reads none. */
  template <int dim>
  class StlObstacle : public FacetedObstacle<dim>
  {
  public:
    static void
    declare_parameters(dealii::ParameterHandler &prm)
    {
      prm.declare_entry(
        "Mesh file",
        "",
        dealii::Patterns::Anything(),
        "STL file, text or binary, with triangles that are oriented towards "
        "the bodies. A closed surface is that of a solid, with holes where "
        "others lie in it and face inward. An open one is a sheet that stops "
        "bodies on both sides. A relative name starts at the folder of "
        "the parameter file. Place it with 'Motion'. Units: "
        "length, for the coordinates in the file.");
      prm.declare_entry("Scale",
                        "1",
                        dealii::Patterns::Double(1e-300),
                        "Factor on the coordinates of the file, such as 0.001 "
                        "from mm to m. Units: none.");
      prm.declare_entry("Reverse",
                        "false",
                        dealii::Patterns::Bool(),
                        "Turn all triangles of the file around. It makes a "
                        "solid of a closed surface that faces inward, and the "
                        "wall of a cavity of one that faces outward. Units: "
                        "None.");
      prm.declare_entry("Cavity",
                        "false",
                        dealii::Patterns::Bool(),
                        "Whether the bodies are inside of a closed surface, as "
                        "in a container. It must face inward then, of itself "
                        "or by 'Reverse', and without 'Cavity' and 'Reverse' "
                        "must not. Units: None.");
    }

    void
    parse_parameters(dealii::ParameterHandler &prm,
                     const std::string &owner) override;

    std::vector<std::string>
    warnings() const override
    {
      return notes;
    }

  private:
    std::vector<std::string> notes;
  };



  template <>
  void
  StlObstacle<2>::parse_parameters(dealii::ParameterHandler &prm,
                                   const std::string &owner)
  {
    throw UserError(owner + ", 'stl/Mesh file' = " + prm.get("Mesh file") +
                    ": STL files are for Dimension = 3.");
  }



  template <>
  void
  StlObstacle<3>::parse_parameters(dealii::ParameterHandler &prm,
                                   const std::string &owner)
  {
    const std::string name = prm.get("Mesh file");
    Notes found(owner + ", 'stl/Mesh file' = " + name);
    const bool reverse = prm.get_bool("Reverse");
    MendedSurface stl =
      read_stl_surface(name, prm.get_double("Scale"), reverse, found.where);
    for (const std::string &remark : stl.remarks)
      found.add(remark);
    const SurfaceCheck &check = stl.check;
    note_open_shells(check, found);
    check_orientation(check, prm.get_bool("Cavity"), reverse, found);
    add_backs(stl.surface, check);
    this->boundary = std::move(stl.surface);
    notes          = found.sentences;
  }



  RICOCHET_REGISTER_OBSTACLE(
    StlObstacle,
    "stl",
    "The triangles of an STL file, rigid; exact. Only in 3D.")
} // namespace Ricochet
