// Every client over stdio, each with its own server process, all on one storage file.

import { afterAll, beforeAll } from "vitest"
import { runCells } from "./run-cells.ts"
import type { StdioHouse } from "./stage.ts"
import { openStdioHouse } from "./stage.ts"

let house: StdioHouse
beforeAll(async () => {
  house = await openStdioHouse()
})
afterAll(() => house.close())

runCells("stdio", (kind) => house.stage(kind))
