// Runs the cells of a transport as tests, with one client for all cells of a kind.

import type { ClientKind, TransportKind } from "@holdpoint/testkit/mcp/server/clients/client"
import { clientKinds } from "@holdpoint/testkit/mcp/server/clients/client"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import type { Cell } from "./matrix.ts"
import { matrix } from "./matrix.ts"
import { observeCell } from "./observe-cell.ts"
import type { OpenStage } from "./stage.ts"

export function runCells(transport: TransportKind, open: (kind: ClientKind) => Promise<OpenStage>): void {
  for (const kind of clientKinds) {
    const cells = matrix.filter((cell) => cell.client === kind && cell.transport === transport).filter(isPossible)
    if (cells.length === 0) continue
    describe(`${kind}, ${transport}`, () => {
      let stage: OpenStage
      beforeAll(async () => {
        stage = await open(kind)
      })
      afterEach(() => stage.person.clears())
      afterAll(() => stage.close())
      it.each(cells.map((cell) => [titleOf(cell), cell] as const))("%s", async (_title, cell) => {
        const refused = cell.answer === "foreign" ? { refused: true } : {}
        expect(await observeCell(stage, cell)).toEqual({ ...cell.expect, ...refused })
        expect(stage.reports).toEqual([])
      })
    })
  }
}

type Possible = Extract<Cell, { expect: unknown }>

export const isPossible = (cell: Cell): cell is Possible => "expect" in cell

const titleOf = ({ question, answer, expect: { carrier, ends } }: Possible): string =>
  `${question} by ${carrier}, ${answer}: ends ${ends}`
