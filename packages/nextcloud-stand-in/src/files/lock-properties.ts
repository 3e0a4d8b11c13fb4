// What a lock shows as properties: those of the files_lock app, and those of WebDAV itself.

import { dav, nc, type Xml, xml } from "../xml.ts"
import type { PropertyName } from "./answers.ts"
import { encodePath } from "./names.ts"
import type { Lock } from "./node.ts"
import type { Properties, Sight } from "./properties.ts"

const n = (name: string): PropertyName => `{${nc}}${name}`

/** By a person 0, by an app 1, by a token 2. */
const kinds = { person: 0, token: 2 } as const

const either = (scope: Xml): Xml =>
  xml`<d:lockentry><d:lockscope>${scope}</d:lockscope><d:locktype><d:write/></d:locktype></d:lockentry>`

export const lockProperties: Properties<Sight> = {
  [n("lock")]: ({ spot }) => (spot.node.folder ? undefined : xml`${spot.node.lock === undefined ? "" : "1"}`),
  [n("lock-owner-type")]: (sight) => ofLock(sight, ({ kind }) => kinds[kind]),
  [n("lock-owner")]: (sight) => ofLock(sight, ({ owner }) => owner),
  [n("lock-owner-displayname")]: (sight) =>
    ofLock(sight, ({ owner }) => sight.world.users.get(owner)?.displayName ?? owner),
  [n("lock-owner-editor")]: (sight) => ofLock(sight, ({ owner }) => owner),
  [n("lock-time")]: (sight) => ofLock(sight, ({ since }) => since),
  [n("lock-timeout")]: (sight) => ofLock(sight, ({ timeout }) => timeout),
  [n("lock-token")]: (sight) => ofLock(sight, ({ token }) => token),
  [`{${dav}}lockdiscovery`]: (sight) => activeLock(sight),
  [`{${dav}}supportedlock`]: () => xml`${[xml`<d:exclusive/>`, xml`<d:shared/>`].map(either)}`,
}

/** In the order in which LOCK and UNLOCK answer. */
export const lockNames: readonly PropertyName[] = Object.keys(lockProperties)
  .filter((name) => name.startsWith(`{${nc}}`))
  .map((name) => name as PropertyName)

function ofLock({ spot }: Sight, value: (lock: Lock) => string | number): Xml | undefined {
  return spot.node.lock === undefined ? undefined : xml`${value(spot.node.lock)}`
}

export function activeLock({ spot, base }: Sight): Xml {
  const lock = spot.node.lock
  if (lock === undefined || lock.kind === "person") return xml``
  return xml`<d:activelock>
 <d:lockscope><d:exclusive/></d:lockscope>
 <d:locktype><d:write/></d:locktype>
 <d:lockroot><d:href>${encodePath(`${base}${spot.path}`)}</d:href></d:lockroot>
 <d:depth>0</d:depth>
 <d:timeout>Second-${lock.timeout}</d:timeout>
 <d:locktoken><d:href>${lock.token}</d:href></d:locktoken>
 <d:owner>${lock.note === "" ? undefined : xml`<d:href>${lock.note}</d:href>`}</d:owner>
</d:activelock>`
}
