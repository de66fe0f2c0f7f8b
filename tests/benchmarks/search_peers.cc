// SPDX-License-Identifier: LGPL-2.1-or-later

#include "search_peers.h"

#include <deal.II/base/bounding_box.h>
#include <deal.II/boost_adaptors/bounding_box.h>
#include <deal.II/boost_adaptors/point.h>
#include <deal.II/numerics/rtree.h>

#ifdef RICOCHET_HAS_CGAL
#  include <CGAL/box_intersection_d.h>
#endif

#ifdef RICOCHET_HAS_EMBREE
#  include <embree3/rtcore.h>
#endif

#include <cmath>
#include <limits>

namespace Ricochet
{
  namespace
  {
    using dealii::Point;

    /** The part that all peers share: boxes of all features. */
    class PeerSearch : public CandidateSearch
    {
    public:
      explicit PeerSearch(const Surface<3> &surface)
        : surface(surface)
      {}

      void
      rebuild(const std::vector<Point<3>> &begin,
              const std::vector<Point<3>> &end,
              const double r) override
      {
        make_vertex_boxes(begin, end, r, vertices);
        edges.resize(surface.n_edges());
        for (unsigned int e = 0; e < edges.size(); ++e)
          edges[e] = hull(vertices, surface.edges[e]);
        facets.resize(surface.n_facets());
        for (unsigned int f = 0; f < facets.size(); ++f)
          facets[f] = hull(vertices, surface.facets[f]);
        pairs.clear();
        find();
      }

    protected:
      virtual void
      find() = 0;

      void
      add_vertex_facet(const unsigned int v, const unsigned int f)
      {
        if (!share_a_vertex(std::array<unsigned int, 1>{{v}},
                            surface.facets[f]))
          pairs.vertex_facet.push_back({{v, f}});
      }

      void
      add_edges(const unsigned int e, const unsigned int f)
      {
        if (!share_a_vertex(surface.edges[e], surface.edges[f]))
          pairs.edge_edge.push_back({{std::min(e, f), std::max(e, f)}});
      }

      const Surface<3> &surface;
      Boxes<3> vertices, edges, facets;
    };



    /** deal.II's pack_rtree(), which is that of Boost with its parameters. */
    class RTreeSearch : public PeerSearch
    {
    public:
      using PeerSearch::PeerSearch;

    protected:
      void
      find() override
      {
        namespace index    = boost::geometry::index;
        const auto tree_of = [](const Boxes<3> &boxes) {
          std::vector<std::pair<dealii::BoundingBox<3>, unsigned int>> entries;
          entries.reserve(boxes.size());
          for (const Box<3> &box : boxes)
            entries.emplace_back(bounding_box(box), entries.size());
          return dealii::pack_rtree(entries);
        };
        const auto facet_tree = tree_of(facets), edge_tree = tree_of(edges);
        for (unsigned int v = 0; v < vertices.size(); ++v)
          for (auto it = facet_tree.qbegin(
                 index::intersects(bounding_box(vertices[v])));
               it != facet_tree.qend();
               ++it)
            add_vertex_facet(v, it->second);
        for (unsigned int e = 0; e < edges.size(); ++e)
          for (auto it =
                 edge_tree.qbegin(index::intersects(bounding_box(edges[e])));
               it != edge_tree.qend();
               ++it)
            if (e < it->second)
              add_edges(e, it->second);
      }

    private:
      static dealii::BoundingBox<3>
      bounding_box(const Box<3> &box)
      {
        return dealii::BoundingBox<3>(
          std::make_pair(Point<3>(box.lower[0], box.lower[1], box.lower[2]),
                         Point<3>(box.upper[0], box.upper[1], box.upper[2])));
      }
    };



#ifdef RICOCHET_HAS_CGAL
    class CgalSearch : public PeerSearch
    {
    public:
      using PeerSearch::PeerSearch;

    protected:
      using Handle =
        CGAL::Box_intersection_d::Box_with_info_d<double, 3, unsigned int>;

      void
      find() override
      {
        fill(vertices, vertex_handles);
        fill(facets, facet_handles);
        fill(edges, edge_handles);
        CGAL::box_intersection_d(vertex_handles.begin(),
                                 vertex_handles.end(),
                                 facet_handles.begin(),
                                 facet_handles.end(),
                                 [&](const Handle &v, const Handle &f) {
                                   add_vertex_facet(v.info(), f.info());
                                 });
        CGAL::box_self_intersection_d(edge_handles.begin(),
                                      edge_handles.end(),
                                      [&](const Handle &e, const Handle &f) {
                                        add_edges(e.info(), f.info());
                                      });
      }

    private:
      static void
      fill(const Boxes<3> &boxes, std::vector<Handle> &handles)
      {
        handles.clear();
        for (const Box<3> &box : boxes)
          {
            CGAL::Bbox_3 bounds(box.lower[0],
                                box.lower[1],
                                box.lower[2],
                                box.upper[0],
                                box.upper[1],
                                box.upper[2]);
            handles.emplace_back(bounds, handles.size());
          }
      }

      std::vector<Handle> vertex_handles, facet_handles, edge_handles;
    };
#endif



#ifdef RICOCHET_HAS_EMBREE
    /** Embree works with boxes of floats, so it gets them rounded outward, and
     * its pairs are compared once more. */
    class EmbreeSearch : public PeerSearch
    {
    public:
      explicit EmbreeSearch(const Surface<3> &surface)
        : PeerSearch(surface)
        , device(rtcNewDevice("threads=1,set_affinity=0"))
      {}

      ~EmbreeSearch() override
      {
        rtcReleaseDevice(device);
      }

    protected:
      void
      find() override
      {
        const RTCScene vertex_scene = make_scene(vertices);
        const RTCScene facet_scene  = make_scene(facets);
        const RTCScene edge_scene   = make_scene(edges);
        const auto on_vertices =
          [](void *data, RTCCollision *found, const unsigned int n) {
            auto &self = *static_cast<EmbreeSearch *>(data);
            for (unsigned int k = 0; k < n; ++k)
              if (self.vertices[found[k].primID0].overlaps(
                    self.facets[found[k].primID1]))
                self.add_vertex_facet(found[k].primID0, found[k].primID1);
          };
        // Every two edges are reported in both orders.
        const auto on_edges =
          [](void *data, RTCCollision *found, const unsigned int n) {
            auto &self = *static_cast<EmbreeSearch *>(data);
            for (unsigned int k = 0; k < n; ++k)
              if (found[k].primID0 < found[k].primID1 &&
                  self.edges[found[k].primID0].overlaps(
                    self.edges[found[k].primID1]))
                self.add_edges(found[k].primID0, found[k].primID1);
          };
        rtcCollide(vertex_scene, facet_scene, on_vertices, this);
        rtcCollide(edge_scene, edge_scene, on_edges, this);
        for (const RTCScene scene : {vertex_scene, facet_scene, edge_scene})
          rtcReleaseScene(scene);
      }

    private:
      RTCScene
      make_scene(const Boxes<3> &boxes)
      {
        const RTCScene scene = rtcNewScene(device);
        rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_LOW);
        const RTCGeometry geometry =
          rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
        rtcSetGeometryUserPrimitiveCount(geometry, boxes.size());
        rtcSetGeometryUserData(geometry, const_cast<Box<3> *>(boxes.data()));
        rtcSetGeometryBoundsFunction(
          geometry,
          [](const RTCBoundsFunctionArguments *arguments) {
            const auto &box = static_cast<const Box<3> *>(
              arguments->geometryUserPtr)[arguments->primID];
            auto &bounds   = *arguments->bounds_o;
            bounds.lower_x = below(box.lower[0]);
            bounds.lower_y = below(box.lower[1]);
            bounds.lower_z = below(box.lower[2]);
            bounds.upper_x = -below(-box.upper[0]);
            bounds.upper_y = -below(-box.upper[1]);
            bounds.upper_z = -below(-box.upper[2]);
          },
          nullptr);
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(scene, geometry);
        rtcReleaseGeometry(geometry);
        rtcCommitScene(scene);
        return scene;
      }

      static float
      below(const double x)
      {
        return std::nextafter(static_cast<float>(x),
                              -std::numeric_limits<float>::infinity());
      }

      const RTCDevice device;
    };
#endif



    template <typename Peer>
    std::unique_ptr<CandidateSearch>
    make(const Surface<3> &surface)
    {
      return std::make_unique<Peer>(surface);
    }
  } // namespace



  std::vector<NamedSearch>
  peers()
  {
    std::vector<NamedSearch> result;
    result.push_back({"rtree", make<RTreeSearch>});
#ifdef RICOCHET_HAS_CGAL
    result.push_back({"cgal", make<CgalSearch>});
#endif
#ifdef RICOCHET_HAS_EMBREE
    result.push_back({"embree", make<EmbreeSearch>});
#endif
    return result;
  }
} // namespace Ricochet
