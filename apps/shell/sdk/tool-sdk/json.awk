# Reads, checks and writes JSON for tool-sdk.sh, in the awk that every system has. The first argument says what to do,
# see END. Works on bytes: run it with LC_ALL=C. The input must end with a newline, and needs no jq.
# Exit codes: 0 done, 3 there is no value but null, 4 the input is not JSON, 5 the value has no such part, 6 not a path.

BEGIN {
  task = ARGV[1]
  first = ARGV[2]
  second = ARGV[3]
  ARGC = 1
  # Records end at quotes, so that a string is one record however long it is.
  RS = "\""
}

NR > 1 { at_quote() }

task == "quote" { if (NR == 1) printf "\""; printf "%s", last_piece; last_piece = escaped($0); next }
in_string { string = string $0 }
!in_string { read_outside($0) }
{ ends_escaped = in_string && match($0, /\\+$/) && RLENGTH % 2 == 1 }

END {
  # The input had a mark behind it, to keep the newlines at its end.
  if (task == "quote") {
    printf "%s\"", substr(last_piece, 1, length(last_piece) - 1)
    exit 0
  }
  read_values()
  if (task == "merge") exit merge()
  if (values != 1) exit 4
  if (task == "valid") exit 0
  if (task == "compact") exit put(root[1])
  if (task == "get") exit get(root[1], first)
  if (task == "success") exit success(root[1], first + 0)
  if (task == "error") exit error(root[1])
  if (task == "truncate") exit truncate(root[1], first + 0, second)
  if (task == "cli-error") exit cli_error(root[1])
  exit 6
}

# ---- tokens: kind is one of { } [ ] : , or s(tring), n(umber), l(iteral); text is what stands in the input

function at_quote() {
  if (task == "quote") {
    last_piece = last_piece "\\\""
    return
  }
  if (!in_string) {
    in_string = 1
    string = ""
    return
  }
  if (ends_escaped) {
    string = string "\""
    return
  }
  in_string = 0
  add(is_string(string) ? "s" : "?", "\"" string "\"")
}

function add(is, raw) {
  tokens++
  kind[tokens] = is
  text[tokens] = raw
  return tokens
}

function is_string(raw) {
  if (raw ~ /[\001-\037]/) return 0
  if (index(raw, "\\") == 0) return 1
  gsub(/\\(["\\\/bfnrt]|u[0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f])/, "", raw)
  return index(raw, "\\") == 0
}

function read_outside(raw, parts, count, i) {
  gsub(/[\t\r\n]/, " ", raw)
  gsub(/[][{}:,]/, " & ", raw)
  count = split(raw, parts, " ")
  for (i = 1; i <= count; i++) add(kind_of(parts[i]), parts[i])
}

function kind_of(raw) {
  if (raw ~ /^[][{}:,]$/) return raw
  if (raw ~ /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$/) return "n"
  if (raw == "true" || raw == "false" || raw == "null") return "l"
  return "?"
}

# ---- values: each is the number of its first token; after[] is the number behind its last

function read_values(at) {
  for (at = 1; at <= tokens; at = after[root[values]]) {
    root[++values] = at
    if (in_string || !value(at, 0)) {
      values = 0
      return
    }
  }
}

function value(at, depth) {
  if (kind[at] ~ /^[snl]$/) return after[at] = at + 1
  if (depth >= 500) return 0
  if (kind[at] == "[") return members(at, depth, "]")
  if (kind[at] == "{") return members(at, depth, "}")
  return 0
}

function members(start, depth, close_kind, at) {
  at = start + 1
  if (kind[at] == close_kind) return after[start] = at + 1
  for (;;) {
    if (close_kind == "}") {
      if (kind[at] != "s" || kind[at + 1] != ":") return 0
      at += 2
    }
    at = value(at, depth + 1)
    if (!at) return 0
    if (kind[at] == close_kind) return after[start] = at + 1
    if (kind[at] != ",") return 0
    at++
  }
}

# The value of the last member with this name, as in every JSON reader; 0 when there is none.
function member(object, name, at, found) {
  if (kind[object] != "{") return 0
  for (at = object + 1; kind[at] == "s"; at = after[at + 2] + 1) {
    if (decoded(text[at]) == name) found = at + 2
    if (kind[after[at + 2]] == "}") break
  }
  return found + 0
}

# Fills item[] with the members of an array or object, and returns how many there are.
function items(container, at, count) {
  if (kind[container] != "[" && kind[container] != "{") return 0
  at = container + 1
  while (at < after[container] - 1) {
    if (kind[container] == "{") at += 2
    item[++count] = at
    at = after[at] + 1
  }
  return count + 0
}

function size(at, i, sum) {
  for (i = at; i < after[at]; i++) sum += length(text[i])
  return sum
}

function put(at, i) {
  for (i = at; i < after[at]; i++) printf "%s", text[i]
  return 0
}

function put_escaped(at, i) {
  for (i = at; i < after[at]; i++) printf "%s", escaped(text[i])
}

# ---- strings

function escaped(raw, i) {
  gsub(/["\\]/, "\\\\&", raw)
  if (raw !~ /[\001-\037]/) return raw
  gsub(/\n/, "\\n", raw)
  gsub(/\r/, "\\r", raw)
  gsub(/\t/, "\\t", raw)
  for (i = 1; i < 32; i++) if (index(raw, sprintf("%c", i))) gsub(sprintf("%c", i), sprintf("\\u%04x", i), raw)
  return raw
}

function decoded(raw, parts, count, i, out) {
  raw = substr(raw, 2, length(raw) - 2)
  if (index(raw, "\\") == 0) return raw
  count = split(raw, parts, /\\/)
  out = parts[1]
  for (i = 2; i <= count; i++) {
    # Nothing between two backslashes: the second one is meant, and what follows is plain text.
    if (parts[i] == "") out = out "\\" parts[++i]
    else if (parts[i] ~ /^u/) {
      out = out character(parts[i], parts[i + 1]) substr(parts[i], 6)
      if (took_two) out = out substr(parts[++i], 6)
    } else out = out simple(substr(parts[i], 1, 1)) substr(parts[i], 2)
  }
  return out
}

function simple(letter) {
  if (letter == "n") return "\n"
  if (letter == "t") return "\t"
  if (letter == "r") return "\r"
  if (letter == "b") return "\b"
  if (letter == "f") return "\f"
  return letter
}

# uXXXX as UTF-8; took_two says whether the next escape was the other half of it.
function character(part, next_part, code, low) {
  code = hex(substr(part, 2, 4))
  low = next_part ~ /^u[dD][c-fC-F]/ && length(part) == 5 ? hex(substr(next_part, 2, 4)) : 0
  took_two = code >= 55296 && code < 56320 && low > 0
  if (took_two) code = 65536 + (code - 55296) * 1024 + low - 56320
  else if (code >= 55296 && code < 57344) code = 65533
  # Shells cannot keep NUL.
  if (code == 0) return ""
  if (code < 128) return sprintf("%c", code)
  if (code < 2048) return sprintf("%c%c", 192 + int(code / 64), 128 + code % 64)
  if (code < 65536) return sprintf("%c%c%c", 224 + int(code / 4096), 128 + int(code / 64) % 64, 128 + code % 64)
  return sprintf("%c%c", 240 + int(code / 262144), 128 + int(code / 4096) % 64) \
    sprintf("%c%c", 128 + int(code / 64) % 64, 128 + code % 64)
}

function hex(digits, i, sum) {
  for (i = 1; i <= 4; i++) sum = sum * 16 + index("0123456789abcdef", tolower(substr(digits, i, 1))) - 1
  return sum
}
