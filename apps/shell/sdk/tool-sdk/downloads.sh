# Calls to the outside: downloads that cannot be led into the local network, retries, and errors of other programs.
# shellcheck shell=dash disable=SC2034,SC2154 # The parts share variables.

# mcp_download_safe --url URL --out FILE --allow HOST [OPTIONS]: downloads by https from a host that you allow, without
# redirects and never from a private address. Prints {"success": true, "bytes": …, "path": …} or {"success": false,
# "error": {"type", "message"}}, and exits 0. --allow may be given several times; *.example.com allows what is below it.
# Options: --deny HOST, --max-bytes N, --timeout SECONDS, --user-agent TEXT, --retry TIMES, --retry-delay SECONDS.
mcp_download_safe() {
  local url='' out='' allow="${MCPBASH_HTTPS_ALLOW_HOSTS:-}," deny="${MCPBASH_HTTPS_DENY_HOSTS:-},"
  local max_bytes=10485760 seconds=15 agent='holdpoint-tool' tries=1 delay=1 host='' port='' addresses='' draft=''
  while [ "$#" -gt 0 ]; do
    if [ "$#" -lt 2 ]; then
      _mcp_not_downloaded invalid_params "'$1' has no value."
      return 0
    fi
    case $1 in
      --url) url=$2 ;;
      --out) out=$2 ;;
      --allow) allow=$allow$2, ;;
      --deny) deny=$deny$2, ;;
      --max-bytes) max_bytes=$2 ;;
      --timeout) seconds=$2 ;;
      --user-agent) agent=$2 ;;
      --retry) tries=$2 ;;
      --retry-delay) delay=$2 ;;
      *)
        _mcp_not_downloaded invalid_params "'$1' is not an option."
        return 0
        ;;
    esac
    shift 2
  done
  _mcp_check_download && _mcp_check_host && _mcp_find_addresses && _mcp_download
  return 0
}

# mcp_download_safe_or_fail …: the same; prints the path of the file, or ends the script.
mcp_download_safe_or_fail() {
  local result
  result=$(mcp_download_safe "$@")
  case $result in
    '{"success":true,'*) mcp_json_get "$result" .path ;;
    *)
      mcp_fail_invalid_args \
        "Download failed ($(mcp_json_get "$result" .error.type)): $(mcp_json_get "$result" .error.message)"
      ;;
  esac
}

# mcp_with_retry ATTEMPTS DELAY -- COMMAND …: runs a command until it succeeds; waits DELAY seconds, then twice as
# long, and so on. Exit codes 1 and 2 are final. Returns the last exit code.
mcp_with_retry() {
  local _mcp_left=${1-} _mcp_delay=${2-} _mcp_code
  shift "$(($# < 2 ? $# : 2))"
  if [ "${1-}" = -- ]; then shift; fi
  case $_mcp_left,$_mcp_delay in
    *[!0-9,.]* | ,* | *, | *.*,* | *.*.*)
      _mcp_warn "mcp_with_retry: the number of attempts and the seconds between them must come first."
      return 1
      ;;
  esac
  while :; do
    _mcp_code=0
    "$@" || _mcp_code=$?
    _mcp_left=$((_mcp_left - 1))
    if [ "$_mcp_code" -le 2 ] || [ "$_mcp_left" -le 0 ]; then return "$_mcp_code"; fi
    mcp_log_debug retry "Exit code $_mcp_code, trying again: $_mcp_left left."
    _mcp_sleep_about "$_mcp_delay"
    _mcp_delay=$(LC_ALL=C awk 'BEGIN { print ARGV[1] * 2 }' "$_mcp_delay")
  done
}

# mcp_extract_cli_error STDOUT STDERR EXIT_CODE: prints why a program failed: from the JSON that it printed, else its
# error output, else its exit code.
mcp_extract_cli_error() {
  local message
  message=$(printf '%s\n' "${1-}" | _mcp_json cli-error) || message=''
  if [ -z "$message" ]; then message=${2-}; fi
  printf '%s' "${message:-CLI exited with code ${3-}}"
}

# ---- the steps of a download. Each prints an error and fails, or leaves what it found in the variables of the caller.

_mcp_check_download() {
  case $url in
    '') _mcp_not_downloaded invalid_url "--url is missing." ;;
    https://?*)
      if [ -n "$out" ]; then _mcp_check_numbers; else _mcp_not_downloaded invalid_params "--out is missing."; fi
      ;;
    *) _mcp_not_downloaded invalid_url "The address must begin with https://." ;;
  esac
}

_mcp_check_numbers() {
  case $max_bytes,$seconds,$tries, in
    *[!0-9,]* | ,* | *,,* | *,0,*)
      _mcp_not_downloaded invalid_params "--max-bytes, --timeout and --retry must be whole numbers above 0."
      ;;
    *)
      case $delay in
        '' | *[!0-9.]* | *.*.*) _mcp_not_downloaded invalid_params "--retry-delay must be a number of seconds." ;;
        *)
          if [ "$seconds" -le 60 ]; then return 0; fi
          _mcp_not_downloaded invalid_params "--timeout can be 60 seconds at most."
          ;;
      esac
      ;;
  esac
}

# Finds host and port. Names only: an address in disguise, such as 0x7f.1 or 2130706433, is not looked up either.
_mcp_check_host() {
  host=${url#https://}
  host=${host%%[/?#\\]*}
  port=443
  case $host in
    *@*)
      _mcp_not_downloaded invalid_url "The address must not have a user name in it."
      return 1
      ;;
    *:*)
      port=${host##*:}
      host=${host%:*}
      ;;
  esac
  host=$(printf '%s' "${host%.}" | tr '[:upper:]' '[:lower:]')
  case $port in '' | *[!0-9]*) host='' ;; esac
  case ${host##*.} in '' | [0-9]* | *[!a-z0-9-]*) host='' ;; esac
  case $host in
    '' | *[!a-z0-9.-]* | .* | *..* | -*)
      _mcp_not_downloaded invalid_url "The address must have the name of a host in it, not a number."
      ;;
    *)
      if _mcp_is_listed "$deny" || ! _mcp_is_listed "$allow"; then
        _mcp_not_downloaded host_blocked "The host $host is not allowed. Allow it with --allow."
      fi
      ;;
  esac
}

_mcp_is_listed() {
  local remaining=$1 pattern
  while [ -n "$remaining" ]; do
    pattern=${remaining%%,*}
    remaining=${remaining#*,}
    case $pattern in
      "$host") return 0 ;;
      '*.'?*) case $host in *".${pattern#??}") return 0 ;; esac ;;
    esac
  done
  return 1
}

# All addresses of the host must be public, and curl is held to them: the name may have others a moment later.
_mcp_find_addresses() {
  local remaining address
  if ! command -v curl >/dev/null; then
    _mcp_not_downloaded provider_unavailable "curl is needed for downloads, and is not installed."
    return 1
  fi
  remaining=$(_mcp_look_up "$host" | sort -u)
  if [ -z "$remaining" ]; then
    _mcp_not_downloaded network_error "The host $host has no address that can be found."
    return 1
  fi
  while [ -n "$remaining" ]; do
    address=${remaining%%"$_mcp_newline"*}
    remaining=${remaining#"$address"}
    remaining=${remaining#"$_mcp_newline"}
    if ! _mcp_is_public "$address"; then
      _mcp_not_downloaded host_blocked "The host $host is at $address, which is not a public address."
      return 1
    fi
    case $address in *:*) address="[$address]" ;; esac
    addresses=$addresses${addresses:+,}$address
  done
}

_mcp_look_up() {
  if command -v getent >/dev/null; then
    getent ahosts "$1" | awk '{ print $1 }'
  elif command -v dscacheutil >/dev/null; then
    dscacheutil -q host -a name "$1" | awk '/^ip(v6)?_address:/ { print $2 }'
  fi
}

# By the registries of special-purpose addresses, RFC 6890. Of IPv6, 2000::/3 is public, without tunnels and
# documentation.
_mcp_is_public() {
  case $1 in
    *:*)
      case $1 in
        2001:db8:* | 2001:0:* | 2001::* | 2002:*) return 1 ;;
        [23][0-9a-f][0-9a-f][0-9a-f]:*) return 0 ;;
      esac
      return 1
      ;;
    0.* | 10.* | 127.* | 169.254.* | 192.168.* | 192.0.0.* | 192.0.2.* | 198.51.100.* | 203.0.113.*) return 1 ;;
    198.18.* | 198.19.* | 172.1[6-9].* | 172.2[0-9].* | 172.3[01].* | 22[4-9].* | 2[345][0-9].*) return 1 ;;
    100.6[4-9].* | 100.[7-9][0-9].* | 100.1[01][0-9].* | 100.12[0-7].*) return 1 ;;
    *[!0-9.]*) return 1 ;;
    *.*.*.*) return 0 ;;
  esac
  return 1
}

_mcp_download() {
  local code=0 answer='' draft bytes
  draft=$(mktemp "${TMPDIR:-/tmp}/holdpoint-download.XXXXXX") || {
    _mcp_not_downloaded write_error "There is no place for the download: ${TMPDIR:-/tmp} cannot be written to."
    return 1
  }
  while :; do
    code=0
    answer=$(_mcp_curl "$draft") || code=$?
    bytes=$(wc -c <"$draft" | tr -d '[:space:]')
    if [ "$bytes" -gt "$max_bytes" ]; then code=63; fi
    tries=$((tries - 1))
    # What will not change by itself is not tried again: a redirect, a file that is too long, a request that is refused.
    case $code,$answer in 0,* | 63,* | 22,[34]*) break ;; esac
    if [ "$tries" -le 0 ]; then break; fi
    _mcp_sleep_about "$delay"
    delay=$(LC_ALL=C awk 'BEGIN { print ARGV[1] * 2 }' "$delay")
  done
  case $code,$answer in
    0,3*)
      _mcp_quote "${answer#* }"
      _mcp_not_downloaded redirect "The address leads to another one. Use that one, and allow its host." \
        ",\"location\":$_mcp_quoted" || :
      ;;
    0,*)
      if mv -f -- "$draft" "$out"; then
        _mcp_quote "$out"
        printf '{"success":true,"bytes":%s,"path":%s}' "$bytes" "$_mcp_quoted"
      else
        code=23
      fi
      ;;
  esac
  rm -f -- "$draft"
  case $code in
    0) ;;
    22) _mcp_not_downloaded network_error "The server answered with status ${answer%% *}." ;;
    23) _mcp_not_downloaded write_error "The file cannot be written: $out" ;;
    63) _mcp_not_downloaded size_exceeded "The file has more than $max_bytes bytes." ;;
    *) _mcp_not_downloaded network_error "The download failed (curl says $code)." ;;
  esac
}

# Prints the status and the address of a redirect. Neither a configuration file nor a proxy changes where it connects
# to.
_mcp_curl() {
  # curl limits files whose length it is told; others end here. Shells count in 512 or 1024 bytes, and dump no core.
  ulimit -c 0
  ulimit -f "$((max_bytes / 512 + 1))"
  curl -q --silent --globoff --fail --proto '=https' --noproxy '*' --max-redirs 0 --max-time "$seconds" \
    --max-filesize "$max_bytes" --resolve "$host:$port:$addresses" --user-agent "$agent" --output "$1" \
    --write-out '%{http_code} %{redirect_url}' -- "$url"
}

# Seconds, and up to half of them more, so that many callers do not come back at once.
_mcp_sleep_about() {
  sleep "$(LC_ALL=C awk 'BEGIN { srand(); print ARGV[1] * (1 + rand() / 2) }' "$1")"
}

# _mcp_not_downloaded TYPE MESSAGE [MEMBERS]
_mcp_not_downloaded() {
  _mcp_quote "$2"
  printf '{"success":false,"error":{"type":"%s","message":%s%s}}' "$1" "$_mcp_quoted" "${3-}"
  return 1
}
