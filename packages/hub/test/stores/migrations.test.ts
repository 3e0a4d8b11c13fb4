// Released migrations must never change, because databases have run them.

import { createHash } from "node:crypto"
import { expect, it } from "vitest"
import type { Dialect } from "../../src/stores/database.ts"
import { migrations } from "../../src/stores/migrations.ts"

const dialect: Dialect = {
  schema: "s.",
  identity: "IDENTITY",
  clustered: " CLUSTERED",
  bytewise: "BYTEWISE",
  tableQuery: "",
  reportsEffects: false,
  ordersTenants: false,
  inputSource: "",
  textMember: (member) => member,
  integerMember: (member) => member,
  amongCondition: (column) => column,
  inCondition: (column) => column,
  items: (json) => json,
}

/** The hashes of the released migrations, without whitespace. A new migration adds a line; no line ever changes. */
const released = ["7fc36c92535bf449"]

it("no released migration has changed", () => {
  const hashes = migrations.map((migration) =>
    createHash("sha256").update(migration(dialect).join(";").replaceAll(/\s+/g, " ")).digest("hex").slice(0, 16),
  )
  expect(hashes).toEqual(released)
})
