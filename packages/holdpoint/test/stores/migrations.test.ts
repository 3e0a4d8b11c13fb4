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
  member: (column, member) => `${column}.${member}`,
  items: (json) => json,
}

/** The hashes of the released migrations, without whitespace. A new migration adds a line; no line ever changes. */
const released = [
  "5292de12ac0e0da5",
  "19d8af5003f6d23a",
  "b168d4320d1d73d4",
  "7a968e90ce0aaeb9",
  "4b66415fb56e7c73",
  "e87c943368865864",
  "a3e397a3e9508732",
  "325001823e859663",
  "74803b82c5026768",
]

it("no released migration has changed", () => {
  const hashes = migrations.map((migration) =>
    createHash("sha256").update(migration(dialect).join(";").replaceAll(/\s+/g, " ")).digest("hex").slice(0, 16),
  )
  expect(hashes).toEqual(released)
})
