// Mails ada a link to the question. Mails of people who sign in go to the address that the identity provider verified.
import { email } from "@holdpoint/email"
import { createMemoryStorage, form } from "@holdpoint/hub"
import { createDirectory, knownPeople } from "@holdpoint/hub/outlets"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createHoldpoint } from "@holdpoint/server"

const ada = { tenant: "local", issuer: "local", subject: "ada" }
const directory = createDirectory([knownPeople([{ ...ada, addresses: { email: "ada@example.com" } }])])
const parts = [email({ smtp: { url: process.env.SMTP_URL ?? "" }, from: "Holdpoint <holdpoint@example.com>" })]
const people = { from: "local", user: "ada" } as const
const server = { storage: createMemoryStorage(), keys: withNewKey(), publicUrl: "http://127.0.0.1:4650", people, parts }
const { hub } = await createHoldpoint({ ...server, hub: { directory }, ladder: [{ outlet: "email", afterMs: 0 }] })
const asked = await hub.ask({ message: "Pay invoice 7?", form: form({}), audience: ada, requester: { id: "payments" } })
console.log((await hub.wait(asked)).status)
