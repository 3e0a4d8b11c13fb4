# JSON: making it, reading it, checking it. Needs awk; jq is used for filters that are more than a path.
# shellcheck shell=dash disable=SC2034,SC2154 # The parts share variables.

# mcp_json_escape TEXT: prints TEXT as a JSON string, with its quotes.
mcp_json_escape() {
  _mcp_quote "${1-}"
  printf '%s' "$_mcp_quoted"
}

# mcp_json_obj NAME VALUE …: prints a JSON object. All values are texts.
mcp_json_obj() {
  local json='' mark=''
  if [ $(($# % 2)) -ne 0 ]; then
    _mcp_warn "mcp_json_obj: a value is missing, names and values come in pairs."
    exit 1
  fi
  while [ "$#" -gt 0 ]; do
    _mcp_quote "$1"
    json=$json$mark$_mcp_quoted:
    _mcp_quote "$2"
    json=$json$_mcp_quoted
    mark=,
    shift 2
  done
  printf '{%s}' "$json"
}

# mcp_json_arr VALUE …: prints a JSON array of texts.
mcp_json_arr() {
  _mcp_quote_all "$@"
  printf '[%s]' "$_mcp_quoted"
}

# mcp_json_get JSON PATH [--default VALUE]: prints the part at PATH, texts without quotes: mcp_json_get "$answer"
# .content.name
mcp_json_get() {
  _mcp_get_or_default mcp_json_get "$@"
}

# mcp_is_valid_json TEXT: succeeds when TEXT is exactly one JSON value.
mcp_is_valid_json() {
  printf '%s\n' "${1-}" | _mcp_json valid
}

# mcp_byte_length TEXT: prints how many bytes TEXT has in UTF-8.
mcp_byte_length() {
  printf '%s' "${1-}" | wc -c | tr -d '[:space:]'
}

# mcp_json_truncate JSON [MAX_BYTES] [--array-path PATH]: leaves out items at the end of a list until the whole fits.
# Prints {"result": …, "truncated": true or false, "kept": …, "total": …}, or an "error" in it. PATH is like
# .data.items; without it, the whole value or its member "results" is shortened.
mcp_json_truncate() {
  local json='' max_bytes='' list='' position=0
  while [ "$#" -gt 0 ]; do
    case $1 in
      --array-path)
        case ${2:---} in
          --*)
            _mcp_truncate_error invalid_path_syntax "--array-path needs a path." ''
            return 0
            ;;
        esac
        list=$2
        shift
        ;;
      *)
        position=$((position + 1))
        if [ "$position" -eq 1 ]; then json=$1; else max_bytes=$1; fi
        ;;
    esac
    shift
  done
  _mcp_whole "$max_bytes" "${MCPBASH_MAX_TOOL_OUTPUT_SIZE:-10485760}"
  printf '%s\n' "$json" | _mcp_json truncate "$_mcp_number" "$list" ||
    _mcp_truncate_error invalid_json "This is not one JSON value." "$json"
}

_mcp_truncate_error() {
  local raw=''
  if [ -n "$3" ]; then
    _mcp_quote "$3"
    raw=,\"raw\":$_mcp_quoted
  fi
  _mcp_quote "$2"
  printf '{"result":null,"truncated":false,"error":{"type":"%s","message":%s%s}}\n' "$1" "$_mcp_quoted" "$raw"
}

# ---- for the other parts of the SDK. Functions that set a variable save the process that $(…) would be.

# _mcp_json TASK …: does one task of json.awk with the JSON on standard input.
_mcp_json() {
  LC_ALL=C awk -f "$_mcp_parts/json.awk" -f "$_mcp_parts/paths.awk" -f "$_mcp_parts/results.awk" "$@"
}

# _mcp_quote TEXT: sets _mcp_quoted to TEXT as a JSON string.
_mcp_quote() {
  local rest=$1 part='' quoted=''
  # The loop below copies the rest at each turn, which is slow for long texts.
  if [ "${#rest}" -gt 4000 ]; then
    _mcp_quote_slowly "$1"
    return
  fi
  while :; do
    part=${rest%%[\"\\[:cntrl:]]*}
    quoted=$quoted$part
    rest=${rest#"$part"}
    case $rest in
      '') break ;;
      \"*) quoted=$quoted'\"' ;;
      \\*) quoted="$quoted\\\\" ;;
      "$_mcp_newline"*) quoted=$quoted'\n' ;;
      *)
        _mcp_quote_slowly "$1"
        return
        ;;
    esac
    rest=${rest#?}
  done
  _mcp_quoted=\"$quoted\"
}

_mcp_quote_slowly() {
  # The mark behind the text keeps the newlines at its end.
  _mcp_quoted=$(printf '%s.' "$1" | _mcp_json quote)
}

# _mcp_quote_all TEXT …: sets _mcp_quoted to the texts as JSON strings with commas between them.
_mcp_quote_all() {
  local all='' mark='' text
  for text in "$@"; do
    _mcp_quote "$text"
    all=$all$mark$_mcp_quoted
    mark=,
  done
  _mcp_quoted=$all
}

# _mcp_quote_number TEXT: sets _mcp_quoted to TEXT as a JSON number; as a string when it is none.
_mcp_quote_number() {
  case $1 in
    '' | *[!0-9]* | 0?*) ;;
    *)
      _mcp_quoted=$1
      return
      ;;
  esac
  # The same is asked again of what has a sign, a point or an exponent.
  case $1 in
    *[!-+.eE0-9]* | *[!0-9] | '' | [!-0-9]*) _mcp_quote "$1" ;;
    *) if mcp_is_valid_json "$1"; then _mcp_quoted=$1; else _mcp_quote "$1"; fi ;;
  esac
}

# _mcp_whole TEXT DEFAULT: sets _mcp_number to TEXT when it is a whole number, else to DEFAULT.
_mcp_whole() {
  case $1 in
    '' | *[!0-9]*) _mcp_number=$2 ;;
    *) _mcp_number=$1 ;;
  esac
}

# _mcp_get NAME JSON FILTER: prints what a jq filter finds, for the function NAME. Returns 3 when there is no value
# but null.
_mcp_get() {
  local code=0 value
  value=$(printf '%s\n' "$2" | _mcp_json get "$3") || code=$?
  if [ "$code" -eq 6 ] && [ -n "${MCPBASH_JSON_TOOL_BIN:-}" ]; then
    code=0
    value=$(printf '%s\n' "$2" | "$MCPBASH_JSON_TOOL_BIN" -rc "$3") || code=1
    if [ "$value" = null ]; then code=3; fi
  fi
  printf '%s' "$value"
  case $code in
    4) _mcp_warn "$1: this is not JSON." ;;
    5) _mcp_warn "$1: '$3' asks for a part of a value that has no parts." ;;
    6) _mcp_warn "$1: '$3' is more than a path such as .a.b[0] // \"x\", which needs jq, and there is no jq here." ;;
  esac
  return "$code"
}

# _mcp_get_or_default NAME JSON FILTER [--default VALUE]: the same; null is printed, or VALUE instead of it.
_mcp_get_or_default() {
  local value code=0
  value=$(_mcp_get "$1" "$2" "$3") || code=$?
  if [ "$code" -ne 0 ] && [ "$code" -ne 3 ]; then return 1; fi
  if [ "$code" -eq 3 ] && [ "${4-}" = --default ]; then value=${5-}; fi
  printf '%s' "$value"
}

_mcp_warn() {
  printf '%s\n' "$1" >&2
}
