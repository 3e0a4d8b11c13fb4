# What the script was called with: arguments, _meta, the client's folders, and a configuration of the tool's own.
# shellcheck shell=dash disable=SC2034,SC2154 # The parts share variables.

# mcp_args_raw: prints the arguments of this call, a JSON object.
mcp_args_raw() {
  _mcp_payload "${MCP_TOOL_ARGS_FILE:-}" "${MCP_TOOL_ARGS_JSON:-}"
}

# mcp_args_get PATH [--default VALUE]: prints one argument: mcp_args_get .name, mcp_args_get '.list[0] // "none"'.
# PATH is a jq filter; all but paths and // need jq. Texts have no quotes. Prints null for what is missing.
mcp_args_get() {
  _mcp_get_or_default mcp_args_get "$(mcp_args_raw)" "$@"
}

# mcp_args_require PATH [MESSAGE]: prints one argument; ends the script with "invalid params" when it is missing or
# empty.
mcp_args_require() {
  local value
  value=$(_mcp_get mcp_args_require "$(mcp_args_raw)" "$1") || value=''
  if [ -z "$value" ]; then mcp_fail_invalid_args "${2:-$1 is required}"; fi
  printf '%s' "$value"
}

# mcp_args_bool PATH [--default true|false]: prints true or false.
mcp_args_bool() {
  local value
  value=$(_mcp_get mcp_args_bool "$(mcp_args_raw)" "$1") || value=''
  if [ -z "$value" ] && [ "${2-}" = --default ]; then value=${3-}; fi
  case $value in
    true | 1) printf true ;;
    '') mcp_fail_invalid_args "$1 is required" ;;
    *) printf false ;;
  esac
}

# mcp_args_int PATH [--default N] [--min N] [--max N]: prints a whole number; ends the script when it is none.
mcp_args_int() {
  local name=$1 value minimum='' maximum=''
  value=$(_mcp_get mcp_args_int "$(mcp_args_raw)" "$1") || value=''
  shift
  while [ "$#" -ge 2 ]; do
    case $1 in
      --default) value=${value:-$2} ;;
      --min) minimum=$2 ;;
      --max) maximum=$2 ;;
    esac
    shift 2
  done
  case $value in
    '') mcp_fail_invalid_args "$name is required" ;;
    - | *[!0-9-]* | ?*-*) mcp_fail_invalid_args "$name must be an integer" ;;
    ????????????????????*) mcp_fail_invalid_args "$name has more digits than can be counted with" ;;
  esac
  if [ -n "$minimum" ] && [ "$value" -lt "$minimum" ]; then mcp_fail_invalid_args "$name must be >= $minimum"; fi
  if [ -n "$maximum" ] && [ "$value" -gt "$maximum" ]; then mcp_fail_invalid_args "$name must be <= $maximum"; fi
  printf '%s' "$value"
}

# mcp_require_path PATH [--default-to-single-root] [--allow-empty]: prints an argument that is a file path, made
# absolute and without links. Ends the script when the path is missing, or outside of the client's folders where it
# has any.
mcp_require_path() {
  local name=${1-} value='' use_root='' may_be_empty='' option
  if [ -z "$name" ]; then mcp_fail_invalid_args "mcp_require_path: the name of an argument is missing"; fi
  shift
  for option in "$@"; do
    case $option in
      --default-to-single-root) use_root=1 ;;
      --allow-empty) may_be_empty=1 ;;
    esac
  done
  value=$(_mcp_get mcp_require_path "$(mcp_args_raw)" "$name") || value=''
  if [ -z "$value" ] && [ -n "$use_root" ]; then
    if [ "${MCP_ROOTS_COUNT:-0}" != 1 ]; then
      mcp_fail_invalid_args "$name is required, because the client has not exactly one folder open"
    fi
    value=${MCP_ROOTS_PATHS%%"$_mcp_newline"*}
  fi
  if [ -z "$value" ]; then
    if [ -n "$may_be_empty" ]; then return 0; fi
    mcp_fail_invalid_args "$name is required"
  fi
  _mcp_real_path "$value"
  value=$_mcp_found
  if [ "${MCP_ROOTS_COUNT:-0}" != 0 ] && ! _mcp_is_in_roots "$value"; then
    mcp_fail_invalid_args "$name is outside of the folders that the client has open"
  fi
  printf '%s' "$value"
}

# mcp_meta_raw: prints the _meta of the request, a JSON object.
mcp_meta_raw() {
  _mcp_payload "${MCP_TOOL_META_FILE:-}" "${MCP_TOOL_META_JSON:-}"
}

# mcp_meta_get PATH [--default VALUE]: prints one value of the request's _meta.
mcp_meta_get() {
  _mcp_get_or_default mcp_meta_get "$(mcp_meta_raw)" "$@"
}

_mcp_payload() {
  if [ -n "$1" ] && [ -f "$1" ]; then
    cat -- "$1"
  elif [ -n "$2" ]; then
    printf '%s' "$2"
  else
    printf '{}'
  fi
}

# ---- roots: the folders that the client works in

# mcp_roots_list: prints their paths, one on each line.
mcp_roots_list() {
  printf '%s' "${MCP_ROOTS_PATHS:-}"
}

# mcp_roots_count: prints how many there are.
mcp_roots_count() {
  printf '%s' "${MCP_ROOTS_COUNT:-0}"
}

# mcp_roots_contains PATH: succeeds when PATH is in one of them, wherever its symbolic links lead.
mcp_roots_contains() {
  _mcp_real_path "$1"
  _mcp_is_in_roots "$_mcp_found"
}

# mcp_path_normalize [--physical] PATH: prints PATH made absolute and without symbolic links. It need not exist.
mcp_path_normalize() {
  if [ "$1" = --physical ]; then shift; fi
  _mcp_real_path "$1"
  printf '%s' "$_mcp_found"
}

_mcp_is_in_roots() {
  local real_path=$1 remaining=${MCP_ROOTS_PATHS:-} root
  while [ -n "$remaining" ]; do
    root=${remaining%%"$_mcp_newline"*}
    remaining=${remaining#"$root"}
    remaining=${remaining#"$_mcp_newline"}
    if [ -z "$root" ]; then continue; fi
    _mcp_real_path "$root"
    # Quoted, so that brackets and stars in a path are compared as they are.
    case $real_path/ in "${_mcp_found%/}"/*) return 0 ;; esac
  done
  return 1
}

# _mcp_real_path PATH: sets _mcp_found to PATH made absolute, without links, "." and "..". Its end need not exist.
_mcp_real_path() {
  local rest=$1 real='' name links=0 target
  case $rest in
    /*) ;;
    *) rest=$PWD/$rest ;;
  esac
  while [ -n "$rest" ]; do
    name=${rest%%/*}
    rest=${rest#"$name"}
    rest=${rest#/}
    case $name in
      '' | .) continue ;;
      ..)
        real=${real%/*}
        continue
        ;;
    esac
    if [ -L "$real/$name" ] && [ "$links" -lt 40 ]; then
      links=$((links + 1))
      target=$(readlink -- "$real/$name" && printf .) || break
      target=${target%"$_mcp_newline".}
      case $target in /*) real='' ;; esac
      rest=$target/$rest
    else
      real=$real/$name
    fi
  done
  _mcp_found=${real:-/}
}

# ---- configuration

# mcp_config_load [--env VARIABLE] [--file PATH] [--example PATH] [--defaults JSON]: merges JSON objects into
# MCP_CONFIG_JSON. The variable has JSON or the path of a file, and counts most; then file, example, defaults.
# Returns 1 when there is nothing to load.
mcp_config_load() {
  local variable='' file='' example='' defaults='{}' loaded=0 config_text=''
  while [ "$#" -gt 0 ]; do
    case $1 in
      --env) variable=${2-} ;;
      --file) file=${2-} ;;
      --example) example=${2-} ;;
      --defaults) defaults=${2-} ;;
    esac
    if [ "$#" -ge 2 ]; then shift; fi
    shift
  done
  export MCP_CONFIG_JSON='{}'
  if [ "$defaults" != '{}' ]; then _mcp_config_add "$defaults" --defaults && loaded=1; fi
  if [ -f "$example" ]; then _mcp_config_add "$(cat -- "$example")" "$example" && loaded=1; fi
  if [ -f "$file" ]; then _mcp_config_add "$(cat -- "$file")" "$file" && loaded=1; fi
  case $variable in
    '' | [0-9]* | *[!A-Za-z0-9_]*) ;;
    *) eval "config_text=\${$variable:-}" ;;
  esac
  if [ -f "$config_text" ]; then config_text=$(cat -- "$config_text"); fi
  if [ -n "$config_text" ]; then _mcp_config_add "$config_text" "$variable" && loaded=1; fi
  if [ "$loaded" -eq 1 ]; then return 0; fi
  mcp_log_warn config "No configuration was found."
  return 1
}

# mcp_config_get PATH [--default VALUE]: prints one value of the configuration. Returns 1 when it is missing.
mcp_config_get() {
  local value code=0
  value=$(_mcp_get mcp_config_get "${MCP_CONFIG_JSON:-"{}"}" "$1") || code=$?
  if [ "$code" -ne 0 ]; then
    if [ "${2-}" != --default ]; then return 1; fi
    value=${3-}
  fi
  printf '%s' "$value"
}

_mcp_config_add() {
  local merged
  if merged=$(printf '%s\n%s\n' "$MCP_CONFIG_JSON" "$1" | _mcp_json merge); then
    MCP_CONFIG_JSON=$merged
  else
    mcp_log_warn config "$2 is not a JSON object and is left out."
    return 1
  fi
}
