// Notes in SQLite. Its calls block: see api.h.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "../sqlite/database.h"

struct Text {
    std::string title;
    std::string text;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Text, title, text)

struct Note {
    int id;
    std::string title;
    std::string text;
    bool has_file;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Note, id, title, text, has_file)

class Store {
   public:
    explicit Store(const std::string& path) : database_{path} {
        database_.run(
            "CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, owner BLOB, title BLOB, "
            "text BLOB, has_file INTEGER)");
    }

    std::vector<Note> all(const std::string& owner) {
        std::vector<Note> notes;
        Statement query{database_, "SELECT id, title, text, has_file FROM notes WHERE owner = ?",
                        owner};
        while (query.step()) notes.push_back(note_of(query));
        return notes;
    }
    std::optional<Note> find(const std::string& owner, int id) {
        Statement query{database_,
                        "SELECT id, title, text, has_file FROM notes WHERE owner = ? AND id = ?",
                        owner, id};
        if (!query.step()) return std::nullopt;
        return note_of(query);
    }
    Note add(const std::string& owner, const Text& text) {
        Statement query{database_,
                        "INSERT INTO notes (owner, title, text) VALUES (?, ?, ?) RETURNING id",
                        owner, text.title, text.text};
        query.step();
        return {.id = static_cast<int>(query.number(0)),
                .title = text.title,
                .text = text.text,
                .has_file = false};
    }
    /// These are false if the owner has no such note.
    bool change(const std::string& owner, int id, const Text& text) {
        return run("UPDATE notes SET title = ?, text = ? WHERE owner = ? AND id = ?", text.title,
                   text.text, owner, id);
    }
    bool attach(const std::string& owner, int id) {
        return run("UPDATE notes SET has_file = 1 WHERE owner = ? AND id = ?", owner, id);
    }
    bool remove(const std::string& owner, int id) {
        return run("DELETE FROM notes WHERE owner = ? AND id = ?", owner, id);
    }

   private:
    template <typename... Values>
    bool run(const char* sql, const Values&... values) {
        Statement{database_, sql, values...}.step();
        return database_.changes() != 0;
    }
    static Note note_of(Statement& row) {
        return {.id = static_cast<int>(row.number(0)),
                .title = row.text(1),
                .text = row.text(2),
                .has_file = !row.is_null(3)};
    }

    Database database_;
};
