# Paths as in jq, for json.awk: .a.b, .list[0], .list[-1], .list[], ."a b", .["a b"], .a?, and what to take instead of
# null and false: .a // .b // "x" // empty. Works through the filter from left to right: rest is what is left of it.

function get(at, filter, i) {
  rest = filter
  for (;;) {
    problem = 0
    if (!term(at)) return 6
    skip_spaces()
    if (rest == "") break
    if (rest !~ /^\/\//) return 6
    rest = substr(rest, 3)
    if (keep_true()) return is_whole(at) ? show() : 6
  }
  return problem ? 5 : show()
}

# Whether what is left of the filter can be read, although it is not needed.
function is_whole(at, kept, i) {
  kept = results
  for (i = 1; i <= kept; i++) saved[i] = result[i]
  do {
    if (!term(at)) return 0
    skip_spaces()
  } while (sub(/^\/\//, "", rest))
  for (i = 1; i <= kept; i++) result[i] = saved[i]
  results = kept
  return rest == ""
}

function show(i) {
  for (i = 1; i <= results; i++) {
    if (i > 1) printf "\n"
    if (kind[result[i]] == "s") printf "%s", decoded(text[result[i]])
    else put(result[i])
  }
  return results == 0 || results == 1 && text[result[1]] == "null" ? 3 : 0
}

function keep_true(i, kept) {
  for (i = 1; i <= results; i++)
    if (text[result[i]] != "null" && text[result[i]] != "false") result[++kept] = result[i]
  results = kept + 0
  return results > 0 && !problem
}

function skip_spaces() {
  sub(/^[ \t\n]+/, "", rest)
}

# Takes one path or literal from the beginning of rest, and fills result[].
function term(at, raw) {
  skip_spaces()
  results = 0
  if (sub(/^empty/, "", rest)) return 1
  if (match(rest, /^(true|false|null|-?[0-9]+(\.[0-9]+)?)/)) {
    raw = take()
    return literal(kind_of(raw), raw)
  }
  if (match(rest, /^"([^"\\]|\\.)*"/)) {
    raw = take()
    return is_string(substr(raw, 2, length(raw) - 2)) && literal("s", raw)
  }
  # Shown as they stand here, like the contents of a string.
  if (match(rest, /^(\[ *\]|[{] *[}])/)) return literal("s", "\"" take() "\"")
  if (rest !~ /^\./) return 0
  result[results = 1] = at
  return steps()
}

function take(raw) {
  raw = substr(rest, 1, RLENGTH)
  rest = substr(rest, RLENGTH + 1)
  return raw
}

function literal(is, raw) {
  result[results = 1] = add(is, raw)
  after[tokens] = tokens + 1
  return is != "?"
}

function steps(raw) {
  if (match(rest, /^\.[ \t\n]*$/) || match(rest, /^\.[ \t\n]+/) || rest == ".") {
    take()
    return 1
  }
  for (;;) {
    if (match(rest, /^\.?\[\]/)) step("each", take())
    else if (match(rest, /^\.?\[-?[0-9]+\]/)) {
      raw = take()
      gsub(/[^-0-9]/, "", raw)
      step("index", raw)
    } else if (match(rest, /^\.?\["([^"\\]|\\.)*"\]/)) {
      raw = take()
      sub(/^\.?\[/, "", raw)
      step("name", decoded(substr(raw, 1, length(raw) - 1)))
    } else if (match(rest, /^\."([^"\\]|\\.)*"/)) step("name", decoded(substr(take(), 2)))
    else if (match(rest, /^\.[A-Za-z_][A-Za-z0-9_]*/)) step("name", substr(take(), 2))
    else return rest == "" || rest ~ /^[ \t\n]/ || rest ~ /^\/\//
    if (sub(/^[?]/, "", rest)) problem = 0
  }
}

# Replaces each result by its part. A part of what has none is a problem, and of null it is null.
function step(how, name, i, j, count, found, next_results) {
  for (i = 1; i <= results; i++) {
    found = part(result[i], how, name)
    if (found < 0) problem = 1
    else if (how == "each") for (j = 1; j <= item_count; j++) new_result[++next_results] = item[j]
    else new_result[++next_results] = found
  }
  results = next_results + 0
  for (i = 1; i <= results; i++) result[i] = new_result[i]
}

function part(at, how, name, found) {
  item_count = 0
  if (how == "each") {
    if (kind[at] != "[" && kind[at] != "{") return -1
    return item_count = items(at)
  }
  if (text[at] == "null" && kind[at] == "l") return at
  if (kind[at] != (how == "name" ? "{" : "[")) return -1
  if (how == "name") found = member(at, name)
  else {
    item_count = items(at)
    found = name + 0 < 0 ? item_count + name + 1 : name + 1
    found = found >= 1 && found <= item_count ? item[found] : 0
  }
  if (found) return found
  found = add("l", "null")
  after[found] = found + 1
  return found
}
