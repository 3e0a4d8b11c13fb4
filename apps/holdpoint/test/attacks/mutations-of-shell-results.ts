// The checks of a script's result, and the tests that must fail when a check is removed.

import type { Mutation } from "./mutation.ts"
import { within } from "./mutation.ts"

const results = "apps/shell/test/result/result.test.ts"
const resources = "apps/shell/test/result/resources.test.ts"

export const shellResultMutations: readonly Mutation[] = [
  ...within("apps/shell/src/script.ts", [
    "scripts: the last output is read, however busy the server is",
    "  await setImmediate()\n",
    "  void setImmediate\n",
    "apps/shell/test/last-output.test.ts",
    "a script that ends while the server is busy keeps its last output",
  ]),
  ...within(
    "apps/shell/src/result/resources.ts",
    [
      "scripts: a file is judged by its real path",
      "paths.map((path) => realpath(path)",
      "paths.map(async (path) => path",
      resources,
      "is refused behind a symbolic link to the file or to its folder",
    ],
    [
      "scripts: a file outside the allowed folders is not attached",
      "if (!allowedFolders.some(",
      "if (allowedFolders.length === 0 && !allowedFolders.some(",
      resources,
      "is refused when the script gives its path",
    ],
    [
      "scripts: a folder is compared by whole names",
      "folder === sep ? sep : folder + sep",
      "folder",
      resources,
      "is refused in a folder whose name begins with the name of a root",
    ],
    [
      "scripts: only regular files are attached",
      "if (!stats.isFile()) return",
      "if (stats.size < 0) return",
      resources,
      "a pipe or a folder is not attached, and does not block the call",
    ],
    [
      "scripts: attached files have a total size limit",
      "bytesLeft -= fileOrProblem.bytes.length",
      "bytesLeft -= 0",
      resources,
      "are reported when they are missing, too large or too many",
    ],
  ),
  ...within(
    "apps/shell/src/result/result.ts",
    [
      "scripts: a printed result has only known members",
      ".filter(([key]) => knownMemberNames.has(key))",
      "",
      results,
      "cannot ask the client for input behind the server's back",
    ],
    [
      "scripts: output that does not match its schema is an error",
      "const problem = printed?.problem ?? (result.isError === true ? undefined : outputProblem(tool, result))",
      "const problem = printed?.problem",
      results,
      "and says why",
    ],
    [
      "scripts: a failed script cannot print a success",
      "if (result !== undefined) return { ...result, isError: true }",
      "if (result !== undefined) return result",
      results,
      "keeps what it printed about its failure, and cannot print a success",
    ],
    [
      "scripts: the output of a stopped script is not its result",
      'if (failure.type === "exit") {',
      "if (failure.type.length > 0) {",
      results,
      "gets an error, even when it printed a successful tool result",
    ],
  ),
  ...within(
    "apps/shell/src/result/output.ts",
    [
      "scripts: deeply nested JSON stays text",
      "|| nestingOf(text) > mostNesting",
      "",
      results,
      "stays text when it is JSON that is nested too deeply",
    ],
    [
      "scripts: JSON has no lone surrogates",
      "value.toWellFormed()",
      "value",
      results,
      "has lone surrogates and NUL replaced inside JSON, even in keys",
    ],
    [
      "scripts: text has no NUL",
      'decoded.replaceAll("\\0", "\\uFFFD")',
      "decoded",
      results,
      "has NUL characters replaced, with a note",
    ],
  ),
  ...within("apps/shell/src/result/protocol-error.ts", [
    "scripts: no error code that makes clients act",
    "code >= -32_099 && code <= -32_020",
    "code === 0",
    results,
    "never has a code that makes clients act, such as -32042, which would open any address",
  ]),
  ...within(
    "apps/shell/src/result/failure.ts",
    [
      "scripts: credentials in error output are hidden",
      "redact(toText(stderr).text)",
      "toText(stderr).text",
      results,
      "hides a credential in the error output",
    ],
    [
      "scripts: errors have no structured content that the schema forbids",
      "outputSchema === undefined || schemaProblem(outputSchema, structured) === undefined ? structured : undefined",
      "outputSchema === undefined || structured !== undefined ? structured : undefined",
      results,
      "and says why",
    ],
  ),
]
