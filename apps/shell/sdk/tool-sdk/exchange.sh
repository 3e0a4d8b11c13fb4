# The exchange of files with the server: one request, one response, and a FIFO that wakes the script. Each question
# has a name of its own, so several may be open at once.
# shellcheck shell=dash disable=SC2034,SC2154 # The parts share variables.

# _mcp_ask REQUEST: asks, waits, and prints the answer. Succeeds whenever it printed one.
_mcp_ask() {
  local answer=''
  if [ "${MCP_ELICIT_SUPPORTED:-0}" != 1 ] || [ -z "${MCP_ELICIT_REQUEST_FILE:-}" ]; then
    _mcp_refuse unsupported "There is no way to ask a person in this call."
  elif _mcp_exchange "$1"; then
    printf '%s' "$answer"
    if _mcp_is_strict; then _mcp_strict_code; fi
  else
    _mcp_refuse failed "The question could not be handed to the server, in ${MCP_ELICIT_REQUEST_FILE%/*}."
  fi
}

# _mcp_refuse REASON MESSAGE: prints the answer to a question that was not asked.
_mcp_refuse() {
  _mcp_quote "$2"
  printf '{"action":"error","content":null,"reason":"%s","message":%s}' "$1" "$_mcp_quoted"
  ! _mcp_is_strict
}

# _mcp_exchange REQUEST: sets answer.
_mcp_exchange() {
  local base='' has_fifo='' line=''
  _mcp_claim "${MCP_ELICIT_REQUEST_FILE%.request}" || return 1
  if [ -n "$has_fifo" ]; then
    # Open for reading and writing: it opens at once, never reports an end, and no wake-up comes too early.
    { _mcp_put "$base.request" "$1" && _mcp_wait "$base.response"; } <>"$base.wake" || return 1
  else
    { _mcp_put "$base.request" "$1" && _mcp_poll "$base.response"; } || return 1
  fi
  while IFS= read -r line || [ -n "$line" ]; do answer=$answer$line; done <"$base.response"
  # The name is free again when its FIFO or claim is gone, so they go last. A question whose script was killed keeps its
  # name, and its answer reaches no other question.
  rm -f -- "$base.response" "$base.wake" "$base.claim"
}

# _mcp_claim PREFIX: sets base to a name that no other question uses. To make the FIFO is to claim its name.
_mcp_claim() {
  local number=0
  while :; do
    number=$((number + 1))
    base=$1.sh$number
    if [ -e "$base.wake" ] || [ -e "$base.claim" ]; then continue; fi
    if mkfifo -m 600 -- "$base.wake" 2>/dev/null; then
      has_fifo=1
      return 0
    fi
    if [ -e "$base.wake" ]; then continue; fi
    # Where there are no FIFOs, a file that can be created only once.
    if (set -C && : >"$base.claim") 2>/dev/null; then return 0; fi
    if [ ! -e "$base.claim" ]; then return 1; fi
  done
}

# _mcp_put FILE TEXT: writes a file that appears whole or not at all.
_mcp_put() {
  printf '%s' "$2" >|"$1.tmp" && mv -f -- "$1.tmp" "$1"
}

_mcp_wait() {
  local line
  until [ -e "$1" ]; do IFS= read -r line || return 1; done
}

_mcp_poll() {
  until [ -e "$1" ]; do
    if [ ! -d "${1%/*}" ]; then return 1; fi
    sleep 0.05 2>/dev/null || sleep 1
  done
}

# ---- MCP_ELICIT_STRICT=1 brings back the exit codes of mcp-bash: 1 when no person was asked, or none answered in time.

_mcp_is_strict() {
  [ "${MCP_ELICIT_STRICT:-0}" = 1 ]
}

_mcp_strict_code() {
  case $(mcp_json_get "$answer" '.reason // empty') in
    '' | client_error | unsupported) return 0 ;;
    *) return 1 ;;
  esac
}
