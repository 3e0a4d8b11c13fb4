# While the script runs: progress, log lines, cancellation, and commands that report progress themselves.
# shellcheck shell=dash disable=SC2034,SC2154 # The parts share variables.

# mcp_progress DONE MESSAGE [TOTAL]: tells how far the work is, in percent or of TOTAL. Does nothing when the client
# does not want to know.
mcp_progress() {
  local done_so_far=${1-} total=${3-} token
  if [ -z "${MCP_PROGRESS_TOKEN:-}" ] || [ -z "${MCP_PROGRESS_STREAM:-}" ]; then return 0; fi
  case $total in '' | *[!0-9.]* | .* | *. | *.*.* | 0?*) total='' ;; esac
  case $done_so_far in
    '' | *[!0-9.]* | .* | *. | *.*.* | 0[0-9]*) done_so_far=0 ;;
    *) if [ "${done_so_far%%.*}" -ge "${total:-100}" ] 2>/dev/null; then done_so_far=${total:-100}; fi ;;
  esac
  _mcp_quote_number "$MCP_PROGRESS_TOKEN"
  token=$_mcp_quoted
  _mcp_quote "${2-}"
  _mcp_notify "$MCP_PROGRESS_STREAM" progress \
    "\"progressToken\":$token,\"progress\":$done_so_far,\"total\":${total:-null},\"message\":$_mcp_quoted"
}

# mcp_log LEVEL LOGGER JSON: a log line for the client. LEVEL is debug, info, notice, warning, error, critical, alert or
# emergency.
mcp_log() {
  local data=${3-}
  if [ -z "${MCP_LOG_STREAM:-}" ]; then return 0; fi
  data=$(printf '%s\n' "$data" | _mcp_json compact) || data=$(mcp_json_escape "${3-}")
  _mcp_log_line "${1-}" "${2-}" "$data"
}

# mcp_log_debug LOGGER TEXT, and mcp_log_info, mcp_log_warn, mcp_log_error: a text as a log line.
mcp_log_debug() {
  _mcp_log_text debug "$@"
}
mcp_log_info() {
  _mcp_log_text info "$@"
}
mcp_log_warn() {
  _mcp_log_text warning "$@"
}
mcp_log_error() {
  _mcp_log_text error "$@"
}

# mcp_debug TEXT …: a line in the file that MCPBASH_DEBUG_LOG names, if it names one.
mcp_debug() {
  if [ -z "${MCPBASH_DEBUG_LOG:-}" ]; then return 0; fi
  local IFS=' '
  printf '[%s] %s\n' "$(date +%H:%M:%S)" "$*" >>"$MCPBASH_DEBUG_LOG"
}

# mcp_is_cancelled: succeeds when the call was cancelled. The script is ended soon after: tidy up and leave.
mcp_is_cancelled() {
  [ -n "${MCP_CANCEL_FILE:-}" ] && [ -e "$MCP_CANCEL_FILE" ]
}

_mcp_log_text() {
  if [ -z "${MCP_LOG_STREAM:-}" ]; then return 0; fi
  _mcp_quote "${3-}"
  _mcp_log_line "$1" "${2-}" "$_mcp_quoted"
}

_mcp_log_line() {
  local level=$1
  case $level in
    debug | info | notice | warning | error | critical | alert | emergency) ;;
    *) level=$(printf '%s' "$level" | tr '[:upper:]' '[:lower:]') ;;
  esac
  case $level in
    debug | info | notice | warning | error | critical | alert | emergency) ;;
    warn) level=warning ;;
    *)
      _mcp_warn "mcp_log: '$1' is not a level, info is used."
      level=info
      ;;
  esac
  _mcp_quote "${2:-${MCP_TOOL_NAME:-tool}}"
  _mcp_notify "$MCP_LOG_STREAM" message "\"level\":\"$level\",\"logger\":$_mcp_quoted,\"data\":$3"
}

# One write to a file opened for appending: lines of several processes stay whole.
_mcp_notify() {
  printf '{"jsonrpc":"2.0","method":"notifications/%s","params":{%s}}\n' "$2" "$3" >>"$1"
}

# ---- mcp_run_with_progress

# mcp_run_with_progress --pattern ERE [OPTIONS] -- COMMAND …: runs a command and reports what its error output says
# about progress. Prints the command's output and returns its exit code. Which lines: those that match the pattern.
# How far:
#   --extract json     the line is JSON with "progress" and perhaps "message" (the default)
#   --extract match1   the first group of the pattern, in percent, or of --total N
#   --extract ratio    the first group of the pattern, of the second
# --stdout FILE takes the output, --stderr-file FILE the other lines, --progress-file FILE has further lines
# and is looked at every --interval SECONDS, --quiet logs no other lines, --dry-run prints progress to the error output.
mcp_run_with_progress() {
  local _mcp_pattern='' _mcp_extract=json _mcp_total='' _mcp_stdout='' _mcp_stderr='' _mcp_source='' _mcp_is_quiet=''
  local _mcp_is_dry='' _mcp_interval=0.2 _mcp_code=0
  while [ "$#" -gt 0 ]; do
    case $1 in
      --pattern) _mcp_pattern=${2-} ;;
      --extract) _mcp_extract=${2-} ;;
      --total) _mcp_total=${2-} ;;
      --stdout) _mcp_stdout=${2-} ;;
      --stderr-file) _mcp_stderr=${2-} ;;
      --progress-file) _mcp_source=${2-} ;;
      --interval) _mcp_interval=${2-} ;;
      --quiet | --dry-run)
        if [ "$1" = --quiet ]; then _mcp_is_quiet=1; else _mcp_is_dry=1; fi
        shift
        continue
        ;;
      --)
        shift
        break
        ;;
      *) break ;;
    esac
    shift "$(($# < 2 ? 1 : 2))"
  done
  _mcp_check_run "$#" || return 1
  if [ -n "$_mcp_stderr" ]; then : >|"$_mcp_stderr"; fi
  # 3 is the output of the command, 4 its exit code. Its error output goes through the pipe.
  {
    _mcp_code=$(
      {
        {
          if _mcp_run "$@" 4>&-; then _mcp_code=0; else _mcp_code=$?; fi
          printf '%s' "$_mcp_code" >&4
        } 2>&1 | _mcp_report_lines >&2
      } 4>&1
    )
  } 3>&1
  return "$_mcp_code"
}

_mcp_check_run() {
  case $_mcp_pattern,$1 in
    ,*) _mcp_warn "mcp_run_with_progress: --pattern is missing." ;;
    *,0) _mcp_warn "mcp_run_with_progress: the command is missing." ;;
    *)
      case $_mcp_extract,$_mcp_total in
        json, | match1, | ratio,) return 0 ;;
        json,*[!0-9]* | match1,*[!0-9]* | ratio,*[!0-9]* | *,0*)
          _mcp_warn "mcp_run_with_progress: --total must be a whole number above 0." ;;
        json,* | match1,* | ratio,*) return 0 ;;
        *) _mcp_warn "mcp_run_with_progress: --extract must be json, match1 or ratio." ;;
      esac
      ;;
  esac
  return 1
}

_mcp_run() {
  if [ -n "$_mcp_source" ]; then
    _mcp_run_with_file "$@"
  elif [ -n "$_mcp_stdout" ]; then
    "$@" >|"$_mcp_stdout" 3>&-
  else
    "$@" >&3 3>&-
  fi
}

# The lines of a progress file join the error output while the command runs.
_mcp_run_with_file() {
  local _mcp_pid _mcp_seen=0 _mcp_end=0
  : >|"$_mcp_source"
  if [ -n "$_mcp_stdout" ]; then
    "$@" >|"$_mcp_stdout" 3>&- &
  else
    "$@" >&3 3>&- &
  fi
  _mcp_pid=$!
  while kill -0 "$_mcp_pid" 2>/dev/null; do
    _mcp_copy_new
    sleep "$_mcp_interval"
  done
  wait "$_mcp_pid" || _mcp_end=$?
  _mcp_copy_new
  return "$_mcp_end"
}

_mcp_copy_new() {
  local _mcp_new
  _mcp_new=$(tail -c "+$((_mcp_seen + 1))" -- "$_mcp_source" && printf .)
  _mcp_new=${_mcp_new%.}
  _mcp_seen=$((_mcp_seen + $(mcp_byte_length "$_mcp_new")))
  printf '%s' "$_mcp_new" >&2
}

_mcp_report_lines() {
  local line
  while IFS= read -r line || [ -n "$line" ]; do
    if _mcp_read_progress "$line"; then
      if [ -n "$_mcp_is_dry" ]; then
        _mcp_quote "$_mcp_words"
        printf '{"progress":%s,"message":%s}\n' "$_mcp_percent" "$_mcp_quoted"
      else
        mcp_progress "$_mcp_percent" "$_mcp_words"
      fi
    else
      if [ -n "$_mcp_stderr" ]; then printf '%s\n' "$line" >>"$_mcp_stderr"; fi
      if [ -z "$_mcp_is_quiet" ]; then mcp_log_debug mcp_run_with_progress "$line"; fi
    fi
  done
}

# Sets _mcp_percent and _mcp_words from a line; fails when the line says nothing about progress.
_mcp_read_progress() {
  local groups all=100
  _mcp_words=$1
  case $_mcp_extract in
    json)
      printf '%s\n' "$1" | grep -Eq -e "$_mcp_pattern" || return 1
      _mcp_percent=$(printf '%s\n' "$1" | _mcp_json get .progress) || return 1
      _mcp_words=$(printf '%s\n' "$1" | _mcp_json get '.message // "Working…"')
      ;;
    match1)
      _mcp_percent=$(_mcp_match "$1" '\1') || return 1
      all=${_mcp_total:-100}
      ;;
    ratio)
      groups=$(_mcp_match "$1" '\1/\2') || return 1
      _mcp_percent=${groups%%/*}
      all=${groups#*/}
      ;;
  esac
  case $_mcp_percent in '' | *[!0-9.]*) return 1 ;; esac
  case $all in '' | 0* | *[!0-9]*) return 1 ;; esac
  _mcp_percent=$(LC_ALL=C awk 'BEGIN { printf "%d", ARGV[1] * 100 / ARGV[2] }' "$_mcp_percent" "$all")
}

# _mcp_match LINE GROUPS: prints the groups of the first match. By sed, as shells differ in matching.
_mcp_match() {
  local mark groups
  # A character that no pattern has, and lines of their own for the groups.
  mark=$(printf '\001')
  groups=$(printf '%s\n' "$1" | sed -nE "s$mark$_mcp_pattern$mark\\$_mcp_newline$2\\$_mcp_newline${mark}p")
  [ -n "$groups" ] || return 1
  groups=${groups#*"$_mcp_newline"}
  printf '%s' "${groups%%"$_mcp_newline"*}"
}
