// The checks of what leaves a Nextcloud, and the tests that must fail when a check is removed.

import type { Mutation } from "./mutation.ts"
import { within } from "./mutation.ts"

export const reachMutations: readonly Mutation[] = [
  ...within(
    "apps/nextcloud/src/policy.ts",
    [
      "reach: what leaves is always asked about, whatever is chosen for all tools",
      "ownChoice === undefined && !isAlways ?",
      "ownChoice === undefined ?",
      "apps/nextcloud/test/tools/mail-sending.test.ts",
      "is not switched off by the choice for all tools",
    ],
    [
      "reach: one Yes to what leaves does not count for the next call",
      'if (isAlways && policy === "once") return "always"',
      "",
      "apps/nextcloud/test/reach.test.ts",
      "is not replaced by the choice for everything, only by a choice for the tool",
    ],
    [
      "reach: a Yes counts for its recipient and object",
      "reached === undefined ? [`agreed ${name}`]",
      "true ? [`agreed ${name}`]",
      "apps/nextcloud/test/reach.test.ts",
      "counts for the same person, file and permissions, and for nothing else",
    ],
  ),
  ...within(
    "apps/nextcloud/src/tools/sharing/reach.ts",
    [
      "reach: a Yes to a share is about the file, not about its path",
      "object: String(fileId), access }",
      'object: "", access }',
      "apps/nextcloud/test/reach.test.ts",
      "does not count for another file that has got the same path",
    ],
    [
      "reach: a share that is less protected is asked about each time",
      'isWeakened ? "weakened"',
      'isWeakened ? "inside"',
      "apps/nextcloud/test/reach.test.ts",
      "does not count for taking a password, an expiry date or a hidden download away",
    ],
  ),
  ...within("apps/nextcloud/src/tools/calendar/invitation.ts", [
    "reach: everyone who is invited already gets mail about a change",
    "new Map([...invited, ...attendees]",
    "new Map([...attendees]",
    "apps/nextcloud/test/reach.test.ts",
    "is asked about for a change of an event, also of one that already has attendees",
  ]),
  ...within("apps/nextcloud/src/tools/talk/room.ts", [
    "reach: a message that guests can read is asked about each time",
    'if (isPublic) return [{ kind: "public", to: "link", object: token }]',
    "",
    "apps/nextcloud/test/reach.test.ts",
    "asks once before it writes into a conversation, and each time where guests may read it",
  ]),
  ...within("apps/nextcloud/src/tools/deck/sharing.ts", [
    "reach: a person who manages a board can pass it on",
    'level === "share" || level === "manage"',
    'level === "share"',
    "apps/nextcloud/test/reach.test.ts",
    "is shared with a person after one Yes, and managed by them only after a Yes each time",
  ]),
]
