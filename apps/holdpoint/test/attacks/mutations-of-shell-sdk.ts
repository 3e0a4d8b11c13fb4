// The checks in tool-sdk.sh (questions, arguments, paths, downloads), and the tests that must fail when a check is
// removed.

import type { Mutation } from "./mutation.ts"
import { within } from "./mutation.ts"

const questions = "apps/shell/test/sdk/questions.test.ts"
const values = "apps/shell/test/sdk/arguments.test.ts"
const results = "apps/shell/test/sdk/results.test.ts"
const downloads = "apps/shell/test/sdk/downloads.test.ts"
const refuses = "refuses hosts that are not allowed, and addresses that are not public, before it connects"

export const shellSdkMutations: readonly Mutation[] = [
  ...within(
    "apps/shell/sdk/tool-sdk/exchange.sh",
    [
      "shell SDK: the name of an open question is not reused",
      'if [ -e "$base.wake" ] || [ -e "$base.claim" ]; then continue; fi',
      'if [ -e "$base.wake" ]; then has_fifo=1; return 0; fi',
      questions,
      "never hands the answer for a killed script to another question",
    ],
    [
      "shell SDK: a question that cannot be asked is an answer with exit code 0",
      "! _mcp_is_strict",
      "false",
      questions,
      "answers unsupported with exit code 0",
    ],
  ),
  ...within("apps/shell/sdk/tool-sdk/request.sh", [
    "shell SDK: values that begin with dashes are not options",
    'if _mcp_are_options "$@"; then',
    'if _mcp_are_options "$@" --; then',
    questions,
    "asks each kind of question as the contract says",
  ]),
  ...within("apps/shell/sdk/tool-sdk/json.sh", [
    "shell SDK: a backslash in a text is escaped",
    '\\\\*) quoted="$quoted\\\\\\\\" ;;',
    '\\\\*) quoted="$quoted\\\\" ;;',
    results,
    "writes every text as JSON",
  ]),
  ...within("apps/shell/sdk/tool-sdk/json.awk", [
    "shell SDK: control characters are escaped",
    "for (i = 1; i < 32; i++) if",
    "for (i = 32; i < 32; i++) if",
    results,
    "writes every text as JSON",
  ]),
  ...within("apps/shell/sdk/tool-sdk/results.sh", [
    "shell SDK: a missing argument ends the whole script, not only the substitution",
    '"$$" ]; then kill -s TERM "$$"; fi',
    '"$$" ]; then :; fi',
    values,
    "ends the whole script on a bad argument",
  ]),
  ...within(
    "apps/shell/sdk/tool-sdk/arguments.sh",
    [
      "shell SDK: a path is judged by where its links lead",
      'if [ -L "$real/$name" ] &&',
      'if [ "$links" -lt 0 ] &&',
      values,
      "keeps paths within the client's roots, wherever links lead",
    ],
    [
      "shell SDK: brackets and stars in a root are literal",
      'case $real_path/ in "${_mcp_found%/}"/*)',
      "case $real_path/ in ${_mcp_found%/}/*)",
      values,
      "keeps paths within the client's roots, wherever links lead",
    ],
  ),
  ...within(
    "apps/shell/sdk/tool-sdk/downloads.sh",
    [
      "shell SDK: every address of a host must be public",
      'if ! _mcp_is_public "$address"; then',
      "if false; then",
      downloads,
      refuses,
    ],
    [
      "shell SDK: a host that is not on the list gets no request",
      '|| ! _mcp_is_listed "$allow"; then',
      "|| false; then",
      downloads,
      refuses,
    ],
    [
      "shell SDK: a disguised address is not a host name",
      "case ${host##*.} in '' | [0-9]* | *[!a-z0-9-]*) host='' ;; esac",
      "case ${host##*.} in '') host='' ;; esac",
      downloads,
      refuses,
    ],
    [
      "shell SDK: curl uses only the addresses that were checked",
      '--resolve "$host:$port:$addresses" ',
      "",
      downloads,
      "connects only to its public address",
    ],
    [
      "shell SDK: a download without a length is limited",
      'if [ "$bytes" -gt "$max_bytes" ]; then code=63; fi',
      "",
      downloads,
      "keeps to the limits",
    ],
  ),
]
