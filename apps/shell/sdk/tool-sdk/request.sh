# Builds the requests of questions.sh, in variables that begin with _mcp:
#   kind, message  of the question                 request  its further members, each with a comma before it
#   name, rules    of a field, and of its schema   options  the values to choose from
#   fields         the fields so far               problem  why the question cannot be asked
# shellcheck shell=dash disable=SC2034,SC2154 # The parts share variables.

# _mcp_begin KIND MESSAGE: forgets the question before.
_mcp_begin() {
  _mcp_kind=$1 _mcp_message=$2 _mcp_request='' _mcp_timeout='' _mcp_problem='' _mcp_scopes=''
  _mcp_fields='' _mcp_required=''
  _mcp_begin_field value
}

_mcp_begin_field() {
  _mcp_name=$1 _mcp_rules='' _mcp_options='' _mcp_defaults='' _mcp_is_optional=''
}

# _mcp_ask_field KIND MESSAGE [FIELD] [OPTION …]
_mcp_ask_field() {
  _mcp_begin "$1" "${2-}"
  shift "$(($# < 2 ? $# : 2))"
  case ${1---} in
    --*) _mcp_take_options '' "$@" ;;
    *)
      _mcp_name=${1:-value}
      _mcp_take_options "$@"
      ;;
  esac
  _mcp_add_field
  _mcp_ask_form "$(_mcp_print_form)"
}

# _mcp_ask_choice choice|choices plain|titled MESSAGE [OPTION … --] VALUE …
_mcp_ask_choice() {
  local labels=$2 value
  _mcp_begin "$1" "${3-}"
  _mcp_name=$1
  shift "$(($# < 3 ? $# : 3))"
  # Without a "--" behind them, all words are values.
  if _mcp_are_options "$@"; then
    while [ "$1" != -- ]; do
      _mcp_take_option "$@"
      shift "$_mcp_taken"
    done
    shift
  fi
  if [ "$#" -eq 0 ]; then _mcp_problem="There is nothing to choose from."; fi
  for value in "$@"; do
    if [ "$labels" = titled ]; then _mcp_split_value "$value"; else _mcp_add_value "$value"; fi
  done
  _mcp_add_field
  _mcp_ask_form "$(_mcp_print_form)"
}

# _mcp_ask_form SCHEMA [MODE]
_mcp_ask_form() {
  case $1 in
    *\{*) ;;
    *) _mcp_problem=${_mcp_problem:-"The form is missing: a JSON Schema of type object."} ;;
  esac
  _mcp_request=",\"schema\":$1$_mcp_request"
  _mcp_add_member mode "${2:-form}"
  _mcp_ask_question
}

_mcp_ask_question() {
  if [ -n "$_mcp_problem" ]; then
    _mcp_refuse invalid_request "$_mcp_problem"
    return
  fi
  _mcp_timeout=${_mcp_timeout:-${MCPBASH_ELICITATION_TIMEOUT:-}}
  if [ -n "$_mcp_timeout" ]; then
    _mcp_quote_number "$_mcp_timeout"
    _mcp_request="$_mcp_request,\"timeout\":$_mcp_quoted"
  fi
  _mcp_quote "$_mcp_message"
  _mcp_ask "{\"message\":$_mcp_quoted$_mcp_request}"
}

# _mcp_add_member NAME TEXT
_mcp_add_member() {
  _mcp_quote "$2"
  _mcp_request="$_mcp_request,\"$1\":$_mcp_quoted"
}

# ---- options

# _mcp_take_options IGNORED OPTION …: takes all options, or finds a problem.
_mcp_take_options() {
  shift "$(($# < 1 ? 0 : 1))"
  while [ "$#" -gt 0 ]; do
    _mcp_take_option "$@"
    if [ "$_mcp_taken" -eq 0 ]; then
      _mcp_problem="'$1' is not an option of this question, or its value is missing."
      return 0
    fi
    shift "$_mcp_taken"
  done
}

# _mcp_are_options WORD …: succeeds when all words up to a "--" are options. Takes none of them.
_mcp_are_options() {
  local _mcp_request='' _mcp_timeout='' _mcp_rules='' _mcp_is_optional='' _mcp_options='' _mcp_defaults=''
  while [ "$#" -gt 0 ]; do
    if [ "$1" = -- ]; then return 0; fi
    _mcp_take_option "$@"
    if [ "$_mcp_taken" -eq 0 ]; then return 1; fi
    shift "$_mcp_taken"
  done
  return 1
}

# _mcp_take_option OPTION [VALUE] …: takes one option, and sets _mcp_taken to the number of its words, 0 when it is
# none.
_mcp_take_option() {
  _mcp_taken=0
  case $_mcp_kind$1 in
    url--wait)
      _mcp_request="$_mcp_request,\"wait\":true"
      _mcp_taken=1
      ;;
    confirm-*) _mcp_take_confirm_option "$@" ;;
    connection-*) _mcp_take_connection_option "$@" ;;
    [a-z]*) _mcp_take_field_option "$@" ;;
  esac
  if [ "$_mcp_taken" -eq 0 ] && [ "$1" = --timeout ] && [ "$#" -ge 2 ]; then
    _mcp_timeout=$2 _mcp_taken=2
  fi
}

_mcp_take_confirm_option() {
  if [ "$#" -lt 2 ]; then return 0; fi
  case $1 in
    --yes | --no)
      _mcp_add_member "${1#--}" "$2"
      _mcp_taken=2
      ;;
  esac
}

_mcp_take_connection_option() {
  if [ "$#" -lt 2 ]; then return 0; fi
  case $1 in
    --message) _mcp_message=$2 _mcp_taken=2 ;;
    --scopes)
      _mcp_add_scopes "$2"
      _mcp_taken=2
      ;;
  esac
}

_mcp_add_scopes() {
  local remaining=$1 scope
  while [ -n "$remaining" ]; do
    scope=${remaining%%[ ,]*}
    remaining=${remaining#"$scope"}
    remaining=${remaining#[ ,]}
    if [ -z "$scope" ]; then continue; fi
    _mcp_quote "$scope"
    _mcp_scopes=$_mcp_scopes${_mcp_scopes:+,}$_mcp_quoted
  done
}

_mcp_take_field_option() {
  case $_mcp_kind,$1,$# in
    form,* | url,*) return 0 ;;
    *,--optional,*)
      _mcp_is_optional=1
      _mcp_taken=1
      return 0
      ;;
    *,1) return 0 ;;
  esac
  _mcp_taken=2
  case $_mcp_kind$1 in
    *--title | *--description)
      _mcp_quote "$2"
      _mcp_rules="$_mcp_rules,\"${1#--}\":$_mcp_quoted"
      ;;
    *--default) _mcp_add_default "$2" ;;
    *--min | *--max) _mcp_add_limit "${1#--}" "$2" ;;
    choice--option | choices--option) _mcp_split_value "$2" ;;
    *) _mcp_taken=0 ;;
  esac
}

_mcp_add_default() {
  case $_mcp_kind,$1 in
    number,* | integer,*) _mcp_quote_number "$1" ;;
    boolean,true | boolean,yes | boolean,1) _mcp_quoted=true ;;
    boolean,*) _mcp_quoted=false ;;
    *) _mcp_quote "$1" ;;
  esac
  _mcp_defaults=$_mcp_defaults${_mcp_defaults:+,}$_mcp_quoted
}

# _mcp_add_limit min|max NUMBER
_mcp_add_limit() {
  _mcp_quote_number "$2"
  case $_mcp_kind in
    number | integer) _mcp_rules="$_mcp_rules,\"$1imum\":$_mcp_quoted" ;;
    choices) _mcp_rules="$_mcp_rules,\"$1Items\":$_mcp_quoted" ;;
    string | email | uri) _mcp_rules="$_mcp_rules,\"$1Length\":$_mcp_quoted" ;;
    *) _mcp_taken=0 ;;
  esac
}

# ---- values to choose from

# _mcp_split_value VALUE:LABEL: the value ends at the first colon that has no backslash before it.
_mcp_split_value() {
  local rest=$1 head='' value='' is_split=''
  while :; do
    head=$head${rest%%:*}
    case $rest in
      *:*) rest=${rest#*:} ;;
      *) break ;;
    esac
    case $is_split$head in
      *\\) head=${head%\\}: ;;
      1*) head=$head: ;;
      *) value=$head head='' is_split=1 ;;
    esac
  done
  if [ -n "$is_split" ]; then _mcp_add_value "$value" "$head"; else _mcp_add_value "$head" "$head"; fi
}

# _mcp_add_value VALUE [LABEL]
_mcp_add_value() {
  local value
  _mcp_quote "$1"
  value=$_mcp_quoted
  if [ "$#" -eq 2 ]; then
    _mcp_quote "$2"
    value="{\"const\":$value,\"title\":$_mcp_quoted}"
  fi
  _mcp_options=$_mcp_options${_mcp_options:+,}$value
}

# ---- forms

# _mcp_add_field: adds the field to the form, and begins the next one.
_mcp_add_field() {
  local schema
  case $_mcp_kind,$_mcp_options in
    ,*) return 0 ;;
    number,* | integer,* | boolean,*) schema="\"type\":\"$_mcp_kind\"" ;;
    email,* | uri,* | date,* | date-time,*) schema="\"type\":\"string\",\"format\":\"$_mcp_kind\"" ;;
    choice,\{*) schema="\"type\":\"string\",\"oneOf\":[$_mcp_options]" ;;
    choice,*) schema="\"type\":\"string\",\"enum\":[$_mcp_options]" ;;
    choices,\{*) schema="\"type\":\"array\",\"items\":{\"anyOf\":[$_mcp_options]}" ;;
    choices,*) schema="\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[$_mcp_options]}" ;;
    *) schema="\"type\":\"string\"" ;;
  esac
  case $_mcp_kind,$_mcp_defaults in
    *,) ;;
    choices,*) schema="$schema,\"default\":[$_mcp_defaults]" ;;
    *) schema="$schema,\"default\":$_mcp_defaults" ;;
  esac
  _mcp_quote "$_mcp_name"
  _mcp_fields="$_mcp_fields${_mcp_fields:+,}$_mcp_quoted:{$schema$_mcp_rules}"
  if [ -z "$_mcp_is_optional" ]; then _mcp_required=$_mcp_required${_mcp_required:+,}$_mcp_quoted; fi
  _mcp_begin_field value
}

_mcp_print_form() {
  printf '{"type":"object","properties":{%s},"required":[%s]}' "$_mcp_fields" "$_mcp_required"
}
