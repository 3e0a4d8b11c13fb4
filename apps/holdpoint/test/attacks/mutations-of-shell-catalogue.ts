// The checks of scripts before they run, and the tests that must fail when a check is removed.

import type { Mutation } from "./mutation.ts"
import { within } from "./mutation.ts"

const trust = "apps/shell/test/catalogue/trust.test.ts"
const reading = "apps/shell/test/catalogue/reading.test.ts"
const processes = "apps/holdpoint/test/shell/process.db.test.ts"
const parts = "apps/holdpoint/test/shell/parts.test.ts"

export const shellCatalogueMutations: readonly Mutation[] = [
  ...within(
    "apps/shell/src/catalogue/trust.ts",
    [
      "catalogue: a file that every user can change",
      "(mode & 0o002) !== 0",
      "(mode & 0o000) !== 0",
      trust,
      "refuses a script that every user can change",
    ],
    [
      "catalogue: a file that its group can change",
      "(mode & 0o020) !== 0 && !isPrivateGroup(gid)",
      "(mode & 0o020) !== 0 && gid < 0",
      trust,
      "refuses a script that the members of its group can change",
    ],
    [
      "catalogue: a file that another user owns",
      "uid === serverUid || uid === 0",
      "uid === serverUid || uid >= 0",
      trust,
      "refuses a script that another user owns",
    ],
    [
      "catalogue: a link out of the folder",
      "if (!isWithin(resolvedPath, root))",
      'if (resolvedPath === "")',
      trust,
      "refuses a folder that is a link out of the folder",
    ],
    [
      "catalogue: the folders between the root and a file",
      "for (let ancestor = resolvedPath; ancestor !== root; ancestor = dirname(ancestor)) {",
      "for (let ancestor = resolvedPath; ancestor === resolvedPath && ancestor !== root; ancestor = dirname(ancestor)) {",
      trust,
      "refuses a script behind a link in a folder that every user can change",
    ],
    [
      "catalogue: the folders above the root",
      "if (parentProblem !== undefined)",
      "if (parentProblem !== undefined && parent === root)",
      trust,
      "refuses tools below a folder that others can change, unless that is a sticky parent folder",
    ],
  ),
  ...within("apps/shell/src/catalogue/private-group.ts", [
    "catalogue: a group with another member",
    "return otherUsers.length === 0 && members",
    "return otherUsers.length >= 0 || members",
    trust,
    "is not private when it has another member, or when the group or the user is unknown",
  ]),
  ...within(
    "apps/shell/src/catalogue/catalogue.ts",
    [
      "catalogue: the folder is judged at each call",
      "rootOf(path) !== root || trustProblemOfRoot(root) !== undefined",
      "rootOf(path) !== root",
      trust,
      "finds no tool that has become unsafe since it was listed",
    ],
    [
      "catalogue: a tool is read again at each call",
      "listedTool === undefined ? undefined : rereadTool(absolutePath, listedTool)",
      "listedTool ?? rereadTool(absolutePath, { name, root: absolutePath, folder: absolutePath } as ShellTool)",
      trust,
      "finds no tool that has become unsafe since it was listed",
    ],
  ),
  ...within(
    "apps/shell/src/catalogue/inspect.ts",
    [
      "catalogue: the same name twice",
      "tools: tools.filter(({ name }) => !duplicates.has(name)),",
      "tools,",
      reading,
      "is left out with all others of the same name",
    ],
    [
      "catalogue: the folder is judged",
      "if (trustProblem !== undefined) return toRefusedInspection(root, trustProblem)",
      "",
      parts,
      "does not start in a folder that others can change",
    ],
  ),
  ...within("apps/shell/src/catalogue/metadata-file.ts", [
    "catalogue: the size of metadata is limited",
    "if (size > maxBytes)",
    "if (size < 0)",
    reading,
    "is left out when its metadata is longer than allowed",
  ]),
  ...within("apps/shell/src/catalogue/folder.ts", [
    "catalogue: a tool that clients would refuse",
    "if (listProblem !== undefined) return",
    'if (listProblem?.message === "") return',
    reading,
    "is left out when its metadata has hints that clients refuse",
  ]),
  ...within("apps/shell/src/catalogue/metadata.ts", [
    "catalogue: the name of a tool",
    "if (!namePattern.test(name))",
    'if (name === "")',
    reading,
    "is left out when its metadata has a name that is not allowed",
  ]),
  ...within(
    "apps/shell/src/guardian.ts",
    [
      "catalogue: scripts end with a server that is killed",
      'if [ "$#" -gt 0 ]; then',
      'if [ "$#" -gt 999 ]; then',
      processes,
      "leaves no process behind after SIGKILL, while a script waits for an answer",
    ],
    [
      "catalogue: processes that left the group end with a server that is killed",
      "$process/environ",
      "$process/nothing",
      processes,
      "leaves no process behind after SIGKILL that left its script's group by setsid",
    ],
    [
      "catalogue: processes that are started meanwhile end with a server that is killed",
      "for attempt in 1 2 3 4 5 6 7 8 9 10; do",
      "for attempt in 1; do",
      processes,
      "leaves no process behind after SIGKILL of those that are started while the others are ended",
    ],
  ),
  ...within("packages/mcp/src/server/request.ts", [
    "catalogue: a call belongs to its process",
    '...(instance === "" ? [] : [instance])',
    '...(instance === "" ? [] : [])',
    processes,
    "keeps the calls of two clients apart, even if they are the same program and make the same call",
  ]),
  ...within("apps/holdpoint/src/shell/plan.ts", [
    "catalogue: other machines do not reach the scripts",
    "if (publicAddress === undefined || settings.identityProviders.length > 0) return",
    "if (publicAddress !== undefined || settings.identityProviders.length > 0) return",
    parts,
    "refuses an address that other machines reach",
  ]),
]
