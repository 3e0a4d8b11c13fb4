// The document about the tools is generated from their table.

import { readFile } from "node:fs/promises"
import { expect, it } from "vitest"
import { table } from "../apps/nextcloud/src/tools/table.ts"
import { documentPath, toToolDocument } from "../scripts/nextcloud-tools.ts"

it("the document has an up-to-date row for every tool; npm run docs:tools writes it", async () => {
  const written = await readFile(documentPath, "utf8")
  expect(written).toBe(toToolDocument())
  for (const { name } of table) expect(written).toContain(`| \`${name}\` |`)
})
