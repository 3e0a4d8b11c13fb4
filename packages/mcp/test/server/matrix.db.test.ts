// Every client over HTTP, with and without sessions: every kind of question, and every end.

import { clientKinds, transportKinds } from "@holdpoint/testkit/mcp/server/clients/client"
import { verifies } from "@holdpoint/testkit/verifies"
import { expect } from "vitest"
import { answers, matrix, questions } from "./matrix.ts"
import { isPossible, runCells } from "./run-cells.ts"
import { openHttpStage } from "./stage.ts"

verifies(
  "mcp.matrix",
  "the matrix has every combination once, runs at least 150, and says why it skips each other one",
  () => {
    const names = matrix.map(({ client, transport, question, answer }) => [client, transport, question, answer].join())
    expect(new Set(names).size).toBe(clientKinds.length * transportKinds.length * questions.length * answers.length)
    expect(names).toHaveLength(441)
    expect(matrix.filter(isPossible).length).toBeGreaterThanOrEqual(150)
    for (const cell of matrix) if (!isPossible(cell)) expect(cell.impossible).toMatch(/\w+ \w+/)
  },
)

runCells("sessionful", (kind) => openHttpStage(kind, "sessions"))
runCells("stateless", (kind) => openHttpStage(kind, "stateless"))
