# What the script hands back. Standard output is the result of the tool; print one result, and nothing besides it. The
# functions for a result end the script, so that nothing is done after an error was reported: a trap on EXIT tidies up.
# shellcheck shell=dash disable=SC2034,SC2154 # The parts share variables.

# mcp_emit_text TEXT: prints a text as it is.
mcp_emit_text() {
  printf '%s' "${1-}"
}

# mcp_emit_json JSON: prints JSON without the spaces that it does not need.
mcp_emit_json() {
  printf '%s\n' "${1-}" | _mcp_json compact || printf '%s' "${1-}"
}

# mcp_result_success JSON [MAX_TEXT_BYTES]: prints a result and ends the script: {"success": true, "result": JSON} as
# structured content and as text. Longer texts are replaced by a sentence; the structured content stays whole.
mcp_result_success() {
  _mcp_whole "${2-}" "${MCPBASH_MAX_TEXT_BYTES:-102400}"
  if printf '%s\n' "${1-}" | _mcp_json success "$_mcp_number"; then exit 0; fi
  mcp_error internal_error "The script gave mcp_result_success a value that is not JSON."
}

# mcp_result_error JSON: prints an error that the model can read and act on, and ends the script. JSON is an object with
# type and message.
mcp_result_error() {
  if ! printf '%s\n' "${1:-"{}"}" | _mcp_json error; then
    _mcp_quote "$1"
    printf '{"type":"internal_error","message":"%s","raw":%s}\n' \
      "The script gave mcp_result_error a value that is not a JSON object." "$_mcp_quoted" | _mcp_json error
  fi
  _mcp_end_printed
}

# mcp_error TYPE MESSAGE [--hint TEXT] [--data JSON]: the same, from its parts. The hint says what to do next.
mcp_error() {
  local type=${1:-internal_error} message=${2:-Unknown error} more='' hint='' error
  shift "$(($# < 2 ? $# : 2))"
  while [ "$#" -gt 0 ]; do
    case $1 in
      --hint)
        hint=${2-}
        _mcp_quote "$hint"
        if [ -n "$hint" ]; then more=$more,\"hint\":$_mcp_quoted; fi
        ;;
      --data) _mcp_error_data "${2-}" ;;
    esac
    shift "$(($# < 2 ? 1 : 2))"
  done
  mcp_log_debug mcp_error "$type: $message"
  if [ -n "$hint" ]; then mcp_log_warn mcp_error "$type: $message"; fi
  _mcp_quote "$type"
  error="{\"type\":$_mcp_quoted"
  _mcp_quote "$message"
  mcp_result_error "$error,\"message\":$_mcp_quoted$more}"
}

# mcp_result_text_with_resource TEXT_OR_JSON [--path FILE [--mime TYPE] [--uri URI]] …: prints a result with files
# attached, and ends the script.
mcp_result_text_with_resource() {
  local data=${1-} list='' mark=''
  if [ "$#" -gt 0 ]; then shift; fi
  while [ "$#" -ge 2 ]; do
    _mcp_quote "$2"
    case $1 in
      --path)
        list=$list${mark:+\}}$mark'{"path":'$_mcp_quoted
        mark=,
        ;;
      --mime) list=$list,\"mimeType\":$_mcp_quoted ;;
      --uri) list=$list,\"uri\":$_mcp_quoted ;;
    esac
    shift 2
  done
  if [ -n "$mark" ]; then
    if [ -n "${MCP_TOOL_RESOURCES_FILE:-}" ]; then
      printf '[%s}]\n' "$list" >|"$MCP_TOOL_RESOURCES_FILE"
    else
      mcp_log_warn sdk "No file can be attached here: MCP_TOOL_RESOURCES_FILE is not set."
    fi
  fi
  if ! mcp_is_valid_json "$data"; then data=$(mcp_json_escape "$data"); fi
  mcp_result_success "$data"
}

# mcp_fail CODE MESSAGE [DATA]: ends the script, and the call, with a JSON-RPC error. DATA is JSON.
mcp_fail() {
  local code=${1-} message=${2:-Tool failed} data=${3:-null} error
  case ${code#[-+]} in '' | *[!0-9]*) code=-32603 ;; esac
  if ! mcp_is_valid_json "$data"; then data=$(mcp_json_escape "$data"); fi
  _mcp_quote "$message"
  error="{\"code\":${code#+},\"message\":$_mcp_quoted,\"data\":$data}"
  if [ -n "${MCP_TOOL_ERROR_FILE:-}" ]; then printf '%s\n' "$error" >|"$MCP_TOOL_ERROR_FILE"; fi
  printf '%s\n' "$error"
  _mcp_warn "$message"
  _mcp_end
}

# mcp_fail_invalid_args [MESSAGE] [DATA]: ends the script with the JSON-RPC error "invalid params".
mcp_fail_invalid_args() {
  mcp_fail -32602 "${1:-Invalid params}" "${2-}"
}

# mcp_client_supports_ui: fails always, as the user interfaces of MCP Apps are not served here.
mcp_client_supports_ui() {
  return 1
}

# _mcp_end: ends the script. In name=$(mcp_args_require .name), exit alone would leave $(…), and a script without
# `set -e` would go on with an empty name. So the script itself is told to end.
_mcp_end() {
  # shellcheck disable=SC2016 # The inner shell has this one as its parent.
  if [ "$(exec sh -c 'echo "$PPID"')" != "$$" ]; then kill -s TERM "$$"; fi
  exit 1
}

# _mcp_end_printed: ends the script after an error. In a pipe or (…), exit alone would leave only that part of it, and
# the script would do what it reported as not done. In $(…), whose output the script prints itself, only that part ends.
_mcp_end_printed() {
  # shellcheck disable=SC2016 # The inner shell has this one as its parent.
  if [ "$(exec sh -c 'echo "$PPID"')" != "$$" ] && _mcp_is_own_output; then kill -s TERM "$$"; fi
  exit 0
}

# _mcp_is_own_output: whether this part of the script writes to the output of the script. Without /proc, it is not known.
_mcp_is_own_output() {
  # shellcheck disable=SC3013 # All four shells know -ef.
  [ /proc/self/fd/1 -ef "/proc/$$/fd/1" ]
}

_mcp_error_data() {
  if [ -z "$1" ]; then return 0; fi
  if mcp_is_valid_json "$1"; then
    more=$more,\"data\":$1
  else
    _mcp_quote "$1"
    more="$more,\"data\":{\"_invalid_json\":$_mcp_quoted}"
  fi
}
