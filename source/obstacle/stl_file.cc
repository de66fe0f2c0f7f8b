// SPDX-License-Identifier: LGPL-2.1-or-later

#include <ricochet/base/error.h>
#include <ricochet/base/number.h>
#include <ricochet/obstacle/stl_file.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace Ricochet
{
  using dealii::Point;

  namespace
  {
    /** Of a binary file: the header with the number of triangles, and one
     * triangle, which is a normal, three vertices, and two bytes that mean
     * nothing. */
    constexpr std::size_t header_size = 84, triangle_size = 50;

    /** A byte 0 in as many from the start on, and it is no text. */
    constexpr std::size_t n_first_bytes = 512;



    std::string
    in_small_letters(std::string word)
    {
      for (char &c : word)
        c = std::tolower(static_cast<unsigned char>(c));
      return word;
    }



    /** What of the file a message may show. */
    std::string
    quoted(const std::string &word)
    {
      constexpr std::size_t longest = 40;
      std::string text              = word.substr(0, longest);
      for (char &c : text)
        if (!std::isprint(static_cast<unsigned char>(c)))
          c = '?';
      return "'" + text + (word.size() > longest ? "...'" : "'");
    }



    /** The words of a text with the numbers of their lines. */
    class Words
    {
    public:
      explicit Words(const std::string &text)
        : text(text)
      {
        // A byte order mark.
        if (text.compare(0, 3, "\xef\xbb\xbf") == 0)
          position = 3;
      }

      /** The next word; empty at the end. */
      std::string
      next()
      {
        while (position < text.size() && is_blank(text[position]))
          skip();
        const std::size_t begin = position;
        while (position < text.size() && !is_blank(text[position]))
          ++position;
        return text.substr(begin, position - begin);
      }

      /** Go to the end of the line. */
      void
      skip_line()
      {
        while (position < text.size() && text[position] != '\n' &&
               text[position] != '\r')
          ++position;
      }

      /** Of the word that next() gave. */
      std::size_t
      line() const
      {
        return number;
      }

    private:
      static bool
      is_blank(const char c)
      {
        return c == ' ' || (c >= '\t' && c <= '\r');
      }

      void
      skip()
      {
        const bool is_pair = text[position] == '\r' &&
                             position + 1 < text.size() &&
                             text[position + 1] == '\n';
        if (!is_pair && (text[position] == '\n' || text[position] == '\r'))
          ++number;
        ++position;
      }

      const std::string &text;
      std::size_t position = 0, number = 1;
    };



    /** Reads the text format. */
    class TextReader
    {
    public:
      TextReader(const std::string &text, const std::string &where)
        : words(text)
        , where(where)
      {}

      std::vector<std::array<Point<3>, 3>>
      read()
      {
        expect({"solid"}, "");
        do
          read_solid();
        while (take({"solid", ""}, "behind 'endsolid'") == "solid");
        return std::move(triangles);
      }

    private:
      void
      read_solid()
      {
        words.skip_line(); // its name, which may be any words
        while (take({"facet", "endsolid"}, "") == "facet")
          read_facet();
        words.skip_line();
      }

      void
      read_facet()
      {
        expect({"normal"}, "behind 'facet'");
        for (unsigned int d = 0; d < 3; ++d)
          if (words.next().empty())
            fail("the file ends inside a normal. It may have been cut off");
        expect({"outer", "loop"}, "behind the normal");
        triangles.emplace_back();
        for (Point<3> &x : triangles.back())
          {
            expect({"vertex"}, "in a loop of three vertices");
            for (unsigned int d = 0; d < 3; ++d)
              x[d] = coordinate();
          }
        expect({"endloop"},
               "behind three vertices (only triangles can be read)");
        expect({"endfacet"}, "behind 'endloop'");
      }

      double
      coordinate()
      {
        const std::string word = words.next();
        const auto number      = number_of(word);
        if (word.empty())
          fail("the file ends inside a vertex. It may have been cut off");
        if (!number)
          fail(quoted(word) +
               " is no finite number, which a coordinate must be, such as "
               "0.5 or 1.0e-5");
        return *number;
      }

      /** The next word, which must be one of some; "" is the end of the file.
       */
      std::string
      take(const std::vector<std::string> &allowed, const std::string &place)
      {
        const std::string word  = words.next();
        const std::string small = in_small_letters(word);
        if (std::find(allowed.begin(), allowed.end(), small) != allowed.end())
          return small;
        std::string names;
        for (const std::string &name : allowed)
          if (!name.empty())
            names += (names.empty() ? "'" : " or '") + name + "'";
          else
            names += " or the end of the file";
        fail((word.empty() ? "the file ends" : quoted(word) + " stands") +
             " where " + names + " must be" +
             (place.empty() ? "" : ", " + place) +
             (word.empty() ? ". It may have been cut off" : ""));
      }

      void
      expect(const std::vector<std::string> &sequence, const std::string &place)
      {
        for (const std::string &word : sequence)
          take({word}, place);
      }

      [[noreturn]] void
      fail(const std::string &reason) const
      {
        throw UserError(where + ", line " + std::to_string(words.line()) +
                        ": " + reason + ". Write the file again.");
      }

      Words words;
      const std::string &where;
      std::vector<std::array<Point<3>, 3>> triangles;
    };



    /** What the header of a binary file announces. */
    std::size_t
    announced_triangles(const std::string &bytes)
    {
      std::uint32_t n = 0;
      if (bytes.size() >= header_size)
        std::memcpy(&n, bytes.data() + header_size - 4, 4);
      return n;
    }



    bool
    is_text(const std::string &bytes)
    {
      // Where a text of some length is, no number is that small.
      const bool has_zeros =
        bytes.substr(0, n_first_bytes).find('\0') != std::string::npos;
      const std::size_t size =
        header_size + triangle_size * announced_triangles(bytes);
      if (bytes.size() >= header_size &&
          (bytes.size() == size || (has_zeros && bytes.size() >= size)))
        return false;
      Words words(bytes);
      if (in_small_letters(words.next()) != "solid")
        return false;
      if (!has_zeros)
        return true;
      words.skip_line();
      const std::string second = in_small_letters(words.next());
      return second == "facet" || second == "endsolid";
    }



    StlFile
    read_binary(const std::string &bytes, const std::string &where)
    {
      const std::size_t n    = announced_triangles(bytes);
      const std::size_t room = bytes.size() < header_size
                                 ? 0
                                 : (bytes.size() - header_size) / triangle_size;
      require(bytes.size() >= header_size &&
                (n == 0 ||
                 bytes.substr(0, n_first_bytes).find('\0') !=
                   std::string::npos ||
                 n <= room),
              where +
                ": this is no STL file. Text would start with 'solid', and a "
                "binary file would have a header of 84 bytes.");
      require(n <= room,
              where + ": as a binary STL file it announces " +
                std::to_string(n) + " triangles, but has room for " +
                std::to_string(room) +
                ". It was cut off, or it is no STL file. Write it again.");
      StlFile result;
      result.triangles.resize(n);
      for (std::size_t i = 0; i < n; ++i)
        {
          std::array<std::array<float, 3>, 3> x{};
          std::memcpy(x.data(),
                      bytes.data() + header_size + triangle_size * i + 12,
                      36);
          for (unsigned int v = 0; v < 3; ++v)
            for (unsigned int d = 0; d < 3; ++d)
              {
                require(std::isfinite(x[v][d]),
                        where + ": a coordinate of vertex " +
                          std::to_string(v + 1) + " of triangle " +
                          std::to_string(i + 1) +
                          " is not finite. Write the file again.");
                result.triangles[i][v][d] = x[v][d];
              }
        }
      const std::size_t rest = bytes.size() - header_size - triangle_size * n;
      if (rest > 0 && n > 0)
        result.remarks.push_back(
          "left out what follows the triangles of the "
          "file, in bytes: " +
          std::to_string(rest) + ".");
      return result;
    }
  } // namespace



  StlFile
  read_stl(const std::string &bytes, const std::string &where)
  {
    require(!bytes.empty(), where + ": the file is empty.");
    StlFile result;
    if (is_text(bytes))
      result.triangles = TextReader(bytes, where).read();
    else
      result = read_binary(bytes, where);
    require(!result.triangles.empty(),
            where + ": the file has no triangles. Write it again.");
    return result;
  }
} // namespace Ricochet
