// A secret that was sealed for one kind of record cannot be opened as another, even with the same id and owner.

import { expect, it } from "vitest"
import { ownerKey } from "../../src/core/connection.ts"
import { sealBindings } from "../../src/core/seal-bindings.ts"

it("a seal binding differs for every kind of record, owner, tenant and id", () => {
  const owner = { kind: "person", tenant: "acme", issuer: "https://id.example", subject: "alice" } as const
  const record = { id: "1", tenant: "acme", owner, elicitation: "e1", purpose: "answers", kind: "AccessToken" }
  const variants = [
    record,
    { ...record, id: "2" },
    { ...record, tenant: "other" },
    { ...record, owner: { ...owner, subject: "bob" }, elicitation: "e2", purpose: "canary", kind: "RefreshToken" },
  ]
  const { call: calls, ...others } = sealBindings
  const all = [
    ...Object.values(others).flatMap((bindingOf) => variants.map((one) => JSON.stringify(bindingOf(one)))),
    ...variants.map((one) => JSON.stringify(calls({ ...one, owner: ownerKey(one.owner) }))),
  ]
  // Sign-ins have no owner: the last variant is the first one again.
  expect(new Set(all).size).toBe(all.length - 1)
})
