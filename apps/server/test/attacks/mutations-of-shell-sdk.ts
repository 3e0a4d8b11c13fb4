// The checks in tool-sdk.sh (questions, arguments, paths, downloads), and the tests that must fail when a check is
// removed.

import type { Mutation } from "./mutation.ts"
import { within } from "./mutation.ts"

const source = "apps/shell/sdk/tool-sdk"
const questions = "apps/shell/test/sdk/questions.test.ts"
const values = "apps/shell/test/sdk/arguments.test.ts"
const results = "apps/shell/test/sdk/results.test.ts"
const downloads = "apps/shell/test/sdk/downloads.test.ts"
const refuses = "refuses hosts that are not allowed, and addresses that are not public, before it connects"

export const shellSdkMutations: readonly Mutation[] = [
  ...within(
    `${source}/exchange.sh`,
    [
      "shell SDK: a name of a question that is open is not used again",
      'if [ -e "$base.wake" ] || [ -e "$base.claim" ]; then continue; fi',
      'if [ -e "$base.wake" ]; then has_fifo=1; return 0; fi',
      questions,
      "never hands the answer for a killed script to another question",
    ],
    [
      "shell SDK: a question without a way to ask is an answer with exit code 0",
      "! _mcp_is_strict",
      "false",
      questions,
      "answers unsupported with exit code 0",
    ],
  ),
  ...within(`${source}/request.sh`, [
    "shell SDK: values that begin with dashes are values",
    'if _mcp_are_options "$@"; then',
    'if _mcp_are_options "$@" --; then',
    questions,
    "asks each kind of question as the contract says",
  ]),
  ...within(`${source}/json.sh`, [
    "shell SDK: a backslash in a text is escaped",
    '\\\\*) quoted="$quoted\\\\\\\\" ;;',
    '\\\\*) quoted="$quoted\\\\" ;;',
    results,
    "writes every text as JSON",
  ]),
  ...within(`${source}/json.awk`, [
    "shell SDK: control characters are escaped",
    "for (i = 1; i < 32; i++) if",
    "for (i = 32; i < 32; i++) if",
    results,
    "writes every text as JSON",
  ]),
  ...within(`${source}/results.sh`, [
    "shell SDK: a missing argument ends the script, not the substitution alone",
    'kill -s TERM "$$"',
    ":",
    values,
    "ends the whole script without them",
  ]),
  ...within(
    `${source}/arguments.sh`,
    [
      "shell SDK: a path is judged by where its links lead",
      'if [ -L "$real/$name" ] &&',
      'if [ "$links" -lt 0 ] &&',
      values,
      "keeps paths in the roots of the client, wherever links lead",
    ],
    [
      "shell SDK: brackets and stars of a root are compared as they are",
      'case $wanted/ in "${_mcp_found%/}"/*)',
      "case $wanted/ in ${_mcp_found%/}/*)",
      values,
      "keeps paths in the roots of the client, wherever links lead",
    ],
  ),
  ...within(
    `${source}/downloads.sh`,
    [
      "shell SDK: every address of a host must be public",
      'if ! _mcp_is_public "$one"; then',
      "if false; then",
      downloads,
      refuses,
    ],
    [
      "shell SDK: a host that is not on the list is not asked",
      '|| ! _mcp_is_listed "$allow"; then',
      "|| false; then",
      downloads,
      refuses,
    ],
    [
      "shell SDK: an address in disguise is not a name",
      "case ${host##*.} in '' | [0-9]* | *[!a-z0-9-]*) host='' ;; esac",
      "case ${host##*.} in '') host='' ;; esac",
      downloads,
      refuses,
    ],
    [
      "shell SDK: curl is held to the addresses that were looked at",
      '--resolve "$host:$port:$addresses" ',
      "",
      downloads,
      "by its public address alone",
    ],
    [
      "shell SDK: a download without a length has a limit",
      'if [ "$bytes" -gt "$most" ]; then code=63; fi',
      "",
      downloads,
      "keeps to the limits",
    ],
  ),
]
