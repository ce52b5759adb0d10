// The page: a form, and a list that follows the changes of all windows.
#pragma once

#include <string_view>

constexpr std::string_view page = R"(<!doctype html>
<html lang=en>
<meta charset=utf-8>
<title>Notes</title>
<form id=login hidden>
<label>Name <input name=user autocomplete=username></label>
<label>Password <input name=password type=password autocomplete=current-password></label>
<button>Log in</button>
</form>
<form id=add hidden>
<label>Title <input name=title></label> <label>Text <input name=text></label> <button>Add</button>
</form>
<ul id=list></ul>
<script>
const api = (path, options) => fetch('/api/' + path, options);
const json = value => ({method: 'POST', headers: {'Content-Type': 'application/json'},
                        body: JSON.stringify(value)});
function item(note) {
    const line = document.createElement('li');
    line.textContent = note.title + ': ' + note.text + ' ';
    const file = document.createElement('input');
    file.type = 'file';
    file.setAttribute('aria-label', 'File of ' + note.title);
    file.onchange = () => api('notes/' + note.id + '/file', {method: 'PUT', body: file.files[0]});
    const link = document.createElement('a');
    link.href = '/api/notes/' + note.id + '/file';
    link.textContent = note.has_file ? 'file' : '';
    const remove = document.createElement('button');
    remove.textContent = 'Remove';
    remove.onclick = () => api('notes/' + note.id, {method: 'DELETE'});
    line.append(file, link, remove);
    return line;
}
async function show() {
    const answer = await api('notes');
    login.hidden = answer.ok;
    add.hidden = !answer.ok;
    if (answer.ok) list.replaceChildren(...(await answer.json()).map(item));
    return answer.ok;
}
async function follow() {
    if (await show()) new EventSource('/api/changes').onmessage = show;
}
login.onsubmit = async event => {
    event.preventDefault();
    await fetch('/login', {method: 'POST', body: new URLSearchParams(new FormData(login))});
    follow();
};
add.onsubmit = event => {
    event.preventDefault();
    api('notes', json(Object.fromEntries(new FormData(add))));
    add.reset();
};
follow();
</script>
)";
