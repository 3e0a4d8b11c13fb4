# Questions to people. Each function prints one JSON object {"action": …, "content": …} and exits 0, whatever the
# person did:
#   action   accept, decline, cancel or error
#   content  what the person entered; null unless action is accept
#   reason   why there is no answer: unsupported, expired, timed_out, client_error, invalid_request, too_many, failed, …
# Exit code 1 means that nothing could be printed. MCP_ELICIT_STRICT=1 brings back the exit codes of mcp-bash.
# All take --timeout SECONDS. Read the answer with mcp_json_get "$answer" .content.name, or with jq.
# shellcheck shell=dash disable=SC2034,SC2154 # The parts share variables.

# mcp_can_ask [form|url]: succeeds when such a question can reach a person.
mcp_can_ask() {
  case ${1:-form} in
    url) [ "${MCP_ELICIT_URL:-${MCP_ELICIT_SUPPORTED:-0}}" = 1 ] ;;
    *) [ "${MCP_ELICIT_FORM:-${MCP_ELICIT_SUPPORTED:-0}}" = 1 ] ;;
  esac
}

# mcp_confirm MESSAGE [--yes WORD] [--no WORD] [--timeout S]: succeeds when a person said Yes, and prints nothing:
# if mcp_confirm "Overwrite report.pdf?" --yes Overwrite --no Keep; then …
mcp_confirm() {
  local answer
  answer=$(mcp_elicit_confirm "$@") || return 1
  [ "$(mcp_json_get "$answer" '.content.confirmed // empty')" = true ]
}

# mcp_elicit_confirm MESSAGE [--yes WORD] [--no WORD] [--timeout S]: content {"confirmed": true or false}.
mcp_elicit_confirm() {
  _mcp_begin confirm "${1-}"
  _mcp_take_options "$@"
  _mcp_ask_form '{"type":"object","properties":{"confirmed":{"type":"boolean"}},"required":["confirmed"]}'
}

# mcp_elicit_string MESSAGE [FIELD] [OPTIONS]: a text. Content {FIELD: text}; FIELD is "value" unless you name it.
# Options of one field: --title TEXT, --description TEXT, --default VALUE, --min N, --max N (here: characters),
# --optional.
mcp_elicit_string() {
  _mcp_ask_field string "$@"
}

# mcp_elicit_email MESSAGE [FIELD] [OPTIONS]: an e-mail address. Content {FIELD: text}.
mcp_elicit_email() {
  _mcp_ask_field email "$@"
}

# mcp_elicit_number MESSAGE [FIELD] [OPTIONS]: a number, from --min to --max. Content {FIELD: number}.
mcp_elicit_number() {
  _mcp_ask_field number "$@"
}

# mcp_elicit_integer MESSAGE [FIELD] [OPTIONS]: a whole number, from --min to --max. Content {FIELD: number}.
mcp_elicit_integer() {
  _mcp_ask_field integer "$@"
}

# mcp_elicit_date MESSAGE [FIELD] [OPTIONS]: a day. Content {FIELD: "2026-01-31"}.
mcp_elicit_date() {
  _mcp_ask_field date "$@"
}

# mcp_elicit_choice MESSAGE [OPTIONS --] VALUE …: one of several. Content {"choice": value}.
# Options come before a "--", so that values may begin with dashes: mcp_elicit_choice "Size?" --default m -- s m l
mcp_elicit_choice() {
  _mcp_ask_choice choice plain "$@"
}

# mcp_elicit_titled_choice MESSAGE [OPTIONS --] VALUE:LABEL …: the same, with words for people. The first ":" ends the
# value; write "\:" for a colon in it: 'http\://a.example:First server'.
mcp_elicit_titled_choice() {
  _mcp_ask_choice choice titled "$@"
}

# mcp_elicit_multi_choice MESSAGE [OPTIONS --] VALUE …: any number of several; --min and --max say how many, and
# --default may be given several times. Content {"choices": [value, …]}.
mcp_elicit_multi_choice() {
  _mcp_ask_choice choices plain "$@"
}

# mcp_elicit_titled_multi_choice MESSAGE [OPTIONS --] VALUE:LABEL …: the same, with words for people.
mcp_elicit_titled_multi_choice() {
  _mcp_ask_choice choices titled "$@"
}

# mcp_form FIELD …: prints a form of several fields for mcp_elicit_form. A field is its kind and name, then its options:
#   mcp_form --string name --title "Your name" --integer copies --min 1 --default 1 --choice size --option s:Small \
#     --option l:Large --date due --optional | mcp_elicit_form "What shall we print?"
# Kinds: --string --email --uri --date --date-time --number --integer --boolean --choice --choices.
mcp_form() {
  _mcp_begin '' ''
  while [ "$#" -gt 0 ]; do
    case $1 in
      --string | --email | --uri | --date | --date-time | --number | --integer | --boolean | --choice | --choices)
        _mcp_add_field
        _mcp_kind=${1#--} _mcp_name=${2-} _mcp_taken=2
        if [ -z "$_mcp_name" ]; then _mcp_taken=0; fi
        ;;
      # A form has no time of its own: mcp_elicit_form takes it.
      --timeout) _mcp_taken=0 ;;
      *) _mcp_take_option "$@" ;;
    esac
    if [ "$_mcp_taken" -eq 0 ]; then
      _mcp_warn "mcp_form: '$1' is not an option here, or what belongs to it is missing."
      return 2
    fi
    shift "$_mcp_taken"
  done
  _mcp_add_field
  _mcp_print_form
}

# mcp_elicit_form MESSAGE [--timeout S]: asks with the form on standard input. Content {field: value, …}.
mcp_elicit_form() {
  _mcp_begin form "${1-}"
  _mcp_take_options "$@"
  _mcp_ask_form "$(cat)"
}

# mcp_elicit MESSAGE SCHEMA [TIMEOUT] [MODE]: asks with a JSON Schema of your own, an object with flat properties.
mcp_elicit() {
  _mcp_begin form "${1-}"
  _mcp_timeout=${3-}
  _mcp_ask_form "${2-}" "${4:-form}"
}

# mcp_elicit_url MESSAGE URL [TIMEOUT] [--wait] [--timeout S]: asks the person to open a page. "accept" means that
# they agreed to open it, not that they are done there: "completed" is false. With --wait the answer comes when the
# page has reported that they finished. For accounts, use mcp_connection.
mcp_elicit_url() {
  _mcp_begin url "${1-}"
  _mcp_add_member url "${2-}"
  _mcp_add_member mode url
  shift "$(($# < 2 ? $# : 2))"
  case ${1---} in
    --*) _mcp_take_options '' "$@" ;;
    *)
      _mcp_timeout=$1
      _mcp_take_options "$@"
      ;;
  esac
  _mcp_ask_question
}

# mcp_connection PROVIDER [--scopes "READ WRITE"] [--message TEXT] [--timeout S]: an account of the person, connected
# when it is not yet. Content {"provider", "account", "scopes", "socket"}: see mcp_connection_fetch.
mcp_connection() {
  _mcp_begin connection "Connect your ${1-} account."
  _mcp_add_member mode connection
  _mcp_add_member provider "${1-}"
  _mcp_take_options "$@"
  if [ -n "$_mcp_scopes" ]; then _mcp_request="$_mcp_request,\"scopes\":[$_mcp_scopes]"; fi
  _mcp_ask_question
}

# mcp_connection_fetch ANSWER URL [CURL_OPTION …]: a request in the name of the person, by the answer of
# mcp_connection. It goes through the local socket, where the server adds the credential; the script never has it.
mcp_connection_fetch() {
  local socket url
  socket=$(mcp_json_get "$1" '.content.socket // empty') || socket=''
  if [ -z "$socket" ]; then
    _mcp_warn "mcp_connection_fetch: there is no account in this answer. Look at its action and reason first."
    return 1
  fi
  # Encryption begins behind the socket.
  case $2 in
    https://*) url=http://${2#https://} ;;
    *) url=$2 ;;
  esac
  shift 2
  curl --silent --show-error --unix-socket "$socket" "$@" "$url"
}
