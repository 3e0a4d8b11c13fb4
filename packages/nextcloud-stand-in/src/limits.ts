// Two places where Nextcloud counts calls: ten, and then 429 without a body and without saying when to come back.

import { createHash } from "node:crypto"
import type { Area, Call, Reply } from "./area.ts"
import { empty, json, noStore, ocs } from "./replies.ts"
import { createArea, fieldsOf, inOcs } from "./routes.ts"
import { random } from "./world.ts"

/** Whether there were ten of these already in so many seconds. */
function isOver({ world }: Call, name: string, seconds: number): boolean {
  const asked = world.state<number[]>(`limit ${name}`, () => [])
  const recent = asked.filter((at) => at > world.now() - seconds * 1000)
  asked.splice(0, asked.length, ...recent, world.now())
  return recent.length >= 10
}

const tooMany = (): Reply => empty(429, noStore)

/** Whether this device is to be wiped: none is. */
const wipeCheck = (call: Call): Reply => (isOver(call, "wipe", 300) ? tooMany() : json(404, []))

function openLocally(call: Call): Reply {
  const userId = call.user?.id ?? ""
  if (isOver(call, `openlocaleditor ${userId}`, 120)) return tooMany()
  const pathHash = createHash("sha1")
    .update(fieldsOf(call).get("path") ?? "")
    .digest("hex")
  const expirationTime = Math.floor(call.world.now() / 1000) + 600
  return ocs(call, { userId, pathHash, expirationTime, token: random(128) })
}

export const limitsArea: Area = createArea([
  ["POST", "/core/wipe/check", wipeCheck],
  ["POST", inOcs("/apps/files/api/v1/openlocaleditor"), openLocally],
])
