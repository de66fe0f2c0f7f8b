// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/mesh/mesh_summary.h>
#include <ricochet/simulation/model.h>

#include <deal.II/base/patterns.h>

#include <algorithm>
#include <filesystem>

namespace Ricochet
{
  using namespace dealii;

  namespace
  {
    /** So that parameters.prm can be run from where it is. */
    void
    make_mesh_file_absolute(ParameterHandler &prm,
                            const ParameterFile &file,
                            const std::string &section)
    {
      prm.enter_subsection(section);
      if (!prm.get("Mesh file").empty())
        prm.set("Mesh file",
                std::filesystem::absolute(
                  std::filesystem::path(file.directory()) /
                  prm.get("Mesh file"))
                  .lexically_normal()
                  .string());
      prm.leave_subsection();
    }



    /** The line above those about the mesh of a section of bodies. */
    std::string
    head_of_summary(const std::string &name, const unsigned int n_copies)
    {
      return "Body '" + name + "'" +
             (n_copies == 1 ? ""
                            : ", the first of " + std::to_string(n_copies)) +
             ":";
    }



    /** The facets of a rigid body that take part in contact, with the vertices
     * that they have. */
    template <int dim>
    RigidSurface<dim>
    contact_part(const RigidBody<dim> &body, const unsigned int number)
    {
      const std::vector<Point<dim>> &vertices = body.surface.vertices;
      RigidSurface<dim> part;
      part.body = number;
      if (body.is_region())
        {
          part.host     = body.host;
          part.vertices = vertices;
          return part;
        }
      std::vector<unsigned int> new_numbers(vertices.size(),
                                            numbers::invalid_unsigned_int);
      for (unsigned int f = 0; f < body.surface.facets.size(); ++f)
        {
          if (!body.is_contact_facet(f))
            continue;
          part.boundary_ids.push_back(body.facet_boundary_ids[f]);
          part.facets.push_back(body.surface.facets[f]);
          for (unsigned int &v : part.facets.back())
            {
              if (new_numbers[v] == numbers::invalid_unsigned_int)
                {
                  new_numbers[v] = part.vertices.size();
                  part.vertices.push_back(vertices[v]);
                }
              v = new_numbers[v];
            }
        }
      return part;
    }
  } // namespace



  template <int dim>
  Model<dim>::Model(const MPI_Comm communicator)
    : communicator(communicator)
  {}



  template <int dim>
  void
  Model<dim>::declare_parameters(ParameterHandler &prm,
                                 const ParameterFile &file)
  {
    prm.enter_subsection("Mass");
    prm.declare_entry("Matrix",
                      "lumped",
                      Patterns::Selection("lumped|consistent"),
                      "The mass matrix of the bodies. Units: None.");
    prm.declare_entry("Contact",
                      "as bodies",
                      Patterns::Selection("as bodies|lumped"),
                      "The mass that impulses act on: the same, or the lumped "
                      "one although the bodies move with a consistent one, "
                      "which is faster, keeps the linear momentum, but not the "
                      "angular one. Units: None.");
    prm.leave_subsection();

    prm.enter_subsection("Bodies");
    prm.declare_entry(
      "Element degree",
      "1",
      Patterns::Integer(1, 2),
      "The degree of the polynomials in each direction of the "
      "elements of all bodies. With 2, which needs "
      "quadrilaterals or hexahedra without 'Local "
      "refinement', the nodes in the middle of edges, faces "
      "and cells move as well, and the contact surface goes "
      "through all of them on the boundary; edges are straight "
      "at the start unless a mesh file has quadratic cells. The stable step is about 0.4 times "
      "that of degree 1 on the same mesh. Units: None.");
    for (const auto &name : file.subsections({"Bodies"}))
      {
        prm.enter_subsection(name);
        BodyParameters<dim>::declare_parameters(
          prm,
          file.subsections({"Bodies", name, "Prescribed motion"}));
        prm.leave_subsection();
      }
    prm.leave_subsection();

    prm.enter_subsection("Obstacles");
    for (const auto &name : file.subsections({"Obstacles"}))
      {
        prm.enter_subsection(name);
        PlacedObstacle<dim>::declare_parameters(prm);
        prm.leave_subsection();
      }
    prm.leave_subsection();

    prm.enter_subsection("Contact");
    Contact<dim>::declare_parameters(prm);
    prm.leave_subsection();
  }



  template <int dim>
  void
  Model<dim>::parse_parameters(ParameterHandler &prm, const ParameterFile &file)
  {
    prm.enter_subsection("Mass");
    const bool consistent = prm.get("Matrix") == "consistent";
    lumped_contact        = !consistent || prm.get("Contact") == "lumped";
    prm.leave_subsection();

    prm.enter_subsection("Bodies");
    solids = std::make_unique<Solids<dim>>(communicator,
                                           consistent ? MassKind::consistent
                                                      : MassKind::lumped,
                                           prm.get_integer("Element degree"));
    for (const auto &section : file.subsections({"Bodies"}))
      {
        prm.enter_subsection(section);
        make_mesh_file_absolute(prm, file, "Mesh");
        if (dim == 3)
          {
            prm.enter_subsection("Rigid body");
            make_mesh_file_absolute(prm, file, "surface mesh");
            prm.leave_subsection();
          }
        BodyParameters<dim> parameters;
        parameters.parse_parameters(prm,
                                    section,
                                    file.subsections(
                                      {"Bodies", section, "Prescribed motion"}),
                                    file.directory());
        prm.leave_subsection();
        add_bodies(parameters, section);
      }
    prm.leave_subsection();
    for (const Body<dim> &body : bodies)
      names.push_back(body.name);
    for (const RigidBody<dim> &body : rigid_bodies)
      names.push_back(body.name);
    for (const Body<dim> &body : bodies)
      for (const RigidBody<dim> &region : body.rigid_regions)
        names.push_back(region.name);

    parse_obstacles(prm, file);
    prm.enter_subsection("Contact");
    contact.parse_parameters(prm, names);
    any_contact = names.size() > 1 || prm.get_bool("Self-contact");
    prm.leave_subsection();
    require(!consistent || !lumped_contact || !contact.restores_energy(),
            "'Energy restoration' does not go with 'Contact' = lumped over "
            "'Matrix' = consistent in 'Mass': these have different energies. "
            "Choose the same for both, or set it to false.");
  }



  template <int dim>
  void
  Model<dim>::add_bodies(const BodyParameters<dim> &parameters,
                         const std::string &section)
  {
    const auto note = [&](const std::vector<std::string> &sentences) {
      for (const std::string &sentence : sentences)
        notes.push_back("body '" + section + "': " + sentence);
    };
    if (parameters.is_rigid())
      {
        auto rigid = parameters.create_rigid_bodies(communicator);
        note(rigid.notes);
        rigid_summary.push_back(
          head_of_summary(rigid.bodies[0].name, rigid.bodies.size()));
        for (const std::string &line : rigid.summary)
          rigid_summary.push_back("  " + line);
        for (RigidBody<dim> &body : rigid.bodies)
          rigid_bodies.push_back(std::move(body));
        return;
      }
    auto copies = parameters.create_bodies(communicator);
    note(copies[0].mesh.notes);
    sections.emplace_back(bodies.size(), copies.size());
    for (Body<dim> &body : copies)
      bodies.push_back(std::move(body));
  }



  template <int dim>
  void
  Model<dim>::parse_obstacles(ParameterHandler &prm, const ParameterFile &file)
  {
    prm.enter_subsection("Obstacles");
    for (const auto &name : file.subsections({"Obstacles"}))
      {
        require(std::find(names.begin(), names.end(), name) == names.end(),
                "Obstacle '" + name +
                  "' has the name of a body. Give it another one.");
        prm.enter_subsection(name);
        make_mesh_file_absolute(prm, file, "mesh");
        make_mesh_file_absolute(prm, file, "stl");
        obstacles.emplace_back();
        obstacles.back().parse_parameters(prm, name);
        prm.leave_subsection();
        names.push_back(name);
      }
    prm.leave_subsection();
  }



  template <int dim>
  std::vector<std::string>
  Model<dim>::mesh_summary() const
  {
    std::vector<std::string> lines;
    for (const auto &[first, n_copies] : sections)
      {
        lines.push_back(head_of_summary(bodies[first].name, n_copies));
        for (const std::string &line :
             summary_of_mesh(bodies[first].mesh.refined()))
          lines.push_back("  " + line);
        for (const RigidBody<dim> &region : bodies[first].rigid_regions)
          lines.push_back("  " + region.name + ": " + summary_of(region));
      }
    lines.insert(lines.end(), rigid_summary.begin(), rigid_summary.end());
    return lines;
  }



  template <int dim>
  void
  Model<dim>::build()
  {
    solids->reinit(std::move(bodies), std::move(rigid_bodies));
  }



  template <int dim>
  void
  Model<dim>::prepare(const State &state)
  {
    ContactModel<dim> model;
    model.communicator = communicator;
    model.obstacles    = obstacles;
    model.time         = state.time;
    model.may_be_idle  = true; // there is motion without contact as well
    for (unsigned int p = 0; p < solids->n_forests(); ++p)
      {
        const Forest<dim> &forest = solids->forest(p);
        model.sources.emplace_back();
        SurfaceSource<dim> &source = model.sources.back();
        source.dof_handler         = &forest.get_dof_handler();
        source.hanging_nodes = &forest.get_hanging_nodes().get_constraints();
        source.body          = [&forest](const auto &cell) {
          return forest.body_of_cell(cell);
        };
        source.is_contact_face = [this, &forest](const auto &cell,
                                                 const unsigned int f) {
          const auto &ids =
            solids->body(forest.body_of_cell(cell)).contact_boundary_ids;
          return ids.empty() || ids.count(cell->face(f)->boundary_id()) > 0;
        };
        if (solids->has_rigid_regions())
          source.rigid_point = [this, p](const types::global_dof_index dof) {
            const auto *const tied = solids->find_tied_node(p, dof);
            return tied == nullptr
                     ? RigidPoint<dim>()
                     : RigidPoint<dim>{solids->n_deformable_bodies() +
                                         tied->rigid_body,
                                       tied->X};
          };
        model.inverse_masses.push_back(&solids->inverse_mass(p));
        model.positions.push_back(&state.positions[p]);
      }
    for (unsigned int k = 0; k < solids->rigid_bodies().size(); ++k)
      model.rigid_bodies.push_back(
        contact_part(solids->rigid_bodies()[k],
                     solids->n_deformable_bodies() + k));
    model.rigid_motions = state.rigid_motions;
    if (!lumped_contact)
      model.apply_inverse_mass = [this](const unsigned int source,
                                        auto &vector) {
        solids->apply_inverse_consistent_mass(source, vector);
      };

    // What contact remembers beyond a step, if the nodes are as before.
    const auto debts          = contact.get_state().debts;
    const auto memory         = contact.memory();
    const auto ignored        = contact.ignored_overlaps();
    const std::size_t n_nodes = contact.get_nodes().nodes.size();
    contact.reinit(model);
    if (contact.get_nodes().nodes.size() == n_nodes)
      {
        contact.set_debts(debts);
        contact.set_memory(memory);
      }
    if (!ignored.empty())
      contact.ignore_overlaps(ignored);
  }



  template class Model<2>;
  template class Model<3>;
} // namespace Ricochet
