// A client that loses the result of a call repeats the call. The repeated call adds nothing a second time.

import { afterEach, expect, it } from "vitest"
import type { ClientKind, House, Serve } from "./house.ts"
import { openHouse, textIn } from "./house.ts"

let house: House | undefined
afterEach(async () => {
  await house?.close()
  house = undefined
})

/** Loses the response to the first tool call; the client sees a broken connection. */
function losingOne(serve: Serve): Serve {
  let isLost = false
  return async (request) => {
    const isCall = !isLost && request.method === "POST" && (await request.clone().text()).includes('"tools/call"')
    const response = await serve(request)
    if (!isCall) return response
    isLost = true
    await response.body?.cancel()
    throw new TypeError("fetch failed")
  }
}

const note = { title: "Shopping", content: "milk" }
const created = ({ standIn }: House): readonly string[] =>
  standIn.requests.filter((request) => request === "POST /index.php/apps/notes/api/v1/notes")

it.each(["2025", "2026"] satisfies ClientKind[])(
  "a call repeated by a client of %s after a lost result creates the note only once",
  async (kind) => {
    house = await openHouse({ client: kind })
    await house.call("nc_notes_list_notes")
    await house.call("nc_notes_create_note", { title: "Before", content: "" })
    house.standIn.forget()

    const client = await house.open(kind, losingOne)
    const call = { name: "nc_notes_create_note", arguments: note }
    await expect(client.callTool(call)).rejects.toThrow()
    const again = await client.callTool(call)
    expect(again.isError, textIn(again as never)).toBeFalsy()
    expect(again.structuredContent).toMatchObject({ title: "Shopping" })
    expect(created(house)).toHaveLength(1)

    await client.callTool(call)
    expect(created(house)).toHaveLength(2)
  },
)
