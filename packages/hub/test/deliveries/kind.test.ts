// The id of a delivery is always the same, so an address that is looked up twice gets one message.

import { asked } from "@holdpoint/testkit/fixtures"
import { verifies } from "@holdpoint/testkit/verifies"
import { expect } from "vitest"
import { deliveryKind, toAddressed, toDelivery } from "../../src/hub/deliveries/delivery-records.ts"

verifies(
  "delivery.one-at-a-time",
  "a delivery has one id for each question, outlet and address, whenever it is created",
  () => {
    const person = { tenant: "acme", issuer: "https://id.example", subject: "alice" }
    const [first, second] = [
      { ...asked(), id: "q1" },
      { ...asked(), id: "q2" },
    ]
    const made = [toDelivery(first, "mail", 1), toDelivery(first, "chat", 1), toDelivery(second, "mail", 1)]
    const addressed = made.flatMap((one) =>
      ["a", "b"].map((address) => toAddressed(one, { address, person }, { now: 2, dueAt: 2 })),
    )
    expect(new Set([...made, ...addressed].map(({ id }) => id)).size).toBe(9)
    expect(toDelivery(first, "mail", 9).id).toBe(made[0]?.id)
    expect(
      toAddressed(made[0]!, { address: "a", person: { ...person, subject: "bob" } }, { now: 9, dueAt: 9 }).id,
    ).toBe(addressed[0]?.id)
    expect(deliveryKind("mail")).toBe(deliveryKind("mail"))
  },
)
