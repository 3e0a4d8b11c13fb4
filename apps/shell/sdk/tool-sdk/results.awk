# Results, errors, shortened lists and merged objects, for json.awk.

function success(at, most) {
  printf "{\"content\":[{\"type\":\"text\",\"text\":\""
  if (size(at) + length("{\"success\":true,\"result\":}") <= most) {
    printf "%s", escaped("{\"success\":true,\"result\":")
    put_escaped(at)
    printf "}"
  } else printf "%s", escaped(summary(at))
  printf "\"}],\"structuredContent\":{\"success\":true,\"result\":"
  put(at)
  printf "},\"isError\":false}\n"
  return 0
}

function summary(at) {
  if (kind[at] == "[") return "The result is a list (items: " items(at) "). The structured content has all of it."
  if (kind[at] == "{") return "The result is an object (members: " items(at) "). The structured content has all of it."
  return "The result is a value (bytes: " size(at) "). The structured content has all of it."
}

# The members of the error, with a type and a message in any case.
function error(at, message, i) {
  if (kind[at] != "{") return 4
  message = member(at, "message")
  if (!message && kind[member(at, "error")] == "s") message = member(at, "error")
  printf "{\"content\":[{\"type\":\"text\",\"text\":"
  if (!message) printf "\"Unknown error\""
  else if (kind[message] == "s") printf "%s", text[message]
  else {
    printf "\""
    put_escaped(message)
    printf "\""
  }
  printf "}],\"structuredContent\":{\"success\":false,\"error\":{"
  for (i = at + 1; i < after[at] - 1; i++) printf "%s", text[i]
  if (i > at + 1 && !(member(at, "type") && member(at, "message"))) printf ","
  if (!member(at, "type")) printf "\"type\":\"internal_error\"%s", member(at, "message") ? "" : ","
  if (!member(at, "message")) printf "\"message\":%s", message ? text[message] : "\"Unknown error\""
  printf "}},\"isError\":true}\n"
  return 0
}

function cli_error(at, found) {
  found = member(at, "error")
  if (kind[found] == "{") found = member(found, "message")
  if (!found && has_failed(at)) found = member(at, "message")
  if (!found && items(member(at, "errors"))) found = member(item[1], "message")
  if (!found || text[found] == "null") return 3
  result[results = 1] = found
  return show()
}

function has_failed(at) {
  if (text[member(at, "success")] == "false" || text[member(at, "ok")] == "false") return 1
  return text[member(at, "status")] == "\"error\""
}

# ---- truncate: leaves out items at the end of a list until the whole fits

function truncate(at, most, path, list, whole, kept, count, i) {
  whole = size(at)
  if (path != "") {
    if (path !~ /^(\.[A-Za-z_][A-Za-z0-9_]*)+$/)
      return too_large("invalid_path_syntax", "The path “" path "” is not like .key or .key.nested.")
    rest = path
    problem = 0
    term(at)
    list = result[1]
    if (problem || text[list] == "null") return too_large("path_not_found", "There is nothing at " path ".")
    if (kind[list] != "[") return too_large("invalid_array_path", "There is no array at " path ".")
  } else if (whole <= most) return show_truncated(at, 0, -1, "")
  else list = kind[at] == "[" ? at : member(at, "results")
  if (kind[list] != "[") return too_large("output_too_large", "The result has " whole " bytes and no list to shorten.")
  count = items(list)
  if (whole <= most) return show_truncated(at, 0, count, "")
  whole = whole - size(list) + 2
  if (whole > most) return too_large("output_too_large", "Without its list, the result still has " whole " bytes.")
  for (kept = 0; kept < count; kept++) {
    whole += size(item[kept + 1]) + (kept > 0)
    if (whole > most) break
  }
  return show_truncated(at, list, count, kept)
}

# list is 0 when nothing is left out, and count below 0 when no list was looked at.
function show_truncated(at, list, count, kept, i) {
  printf "{\"result\":"
  for (i = at; i < after[at]; i = i == list ? after[list] : i + 1) {
    if (i == list) put_items(kept)
    else printf "%s", text[i]
  }
  printf ",\"truncated\":%s", list ? "true" : "false"
  if (count >= 0) printf ",\"kept\":%d,\"total\":%d", list ? kept : count, count
  printf "}\n"
  return 0
}

function put_items(count, i) {
  printf "["
  for (i = 1; i <= count; i++) {
    if (i > 1) printf ","
    put(item[i])
  }
  printf "]"
}

function too_large(type, message) {
  printf "{\"result\":null,\"truncated\":false,\"error\":{\"type\":\"%s\",\"message\":\"%s\"}}\n", type, escaped(message)
  return 0
}

# ---- merge: the members of two objects; those of the second one count

function merge(base, over, at, other, shown) {
  base = root[1]
  over = root[2]
  if (values != 2 || kind[base] != "{" || kind[over] != "{") return 4
  printf "{"
  for (at = base + 1; kind[at] == "s"; at = after[at + 2] + 1) {
    other = member(over, decoded(text[at]))
    printf "%s%s:", shown++ ? "," : "", text[at]
    put(other ? other : at + 2)
    if (kind[after[at + 2]] == "}") break
  }
  for (at = over + 1; kind[at] == "s"; at = after[at + 2] + 1) {
    if (!member(base, decoded(text[at]))) {
      printf "%s%s:", shown++ ? "," : "", text[at]
      put(at + 2)
    }
    if (kind[after[at + 2]] == "}") break
  }
  printf "}"
  return 0
}
