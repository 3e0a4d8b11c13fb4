// A script that stops, asks the person at the terminal, and carries on with the answer.

import { choice, createHub, createMemoryStorage, form } from "@holdpoint/hub"
import { createTerminalOutlet } from "@holdpoint/terminal"

const me = { tenant: "local", issuer: "local", subject: "me" }
const hub = createHub({
  storage: createMemoryStorage(),
  outlets: (hub) => [createTerminalOutlet({ as: me, hub })],
})

const asked = await hub.ask({
  message: "Version 4.2.0 is built and tested. Where should it go?",
  form: form({ environment: choice({ staging: "Staging", production: "Production" }, { title: "Environment" }) }),
  audience: me,
  requester: { id: "release-script", name: "Release script" },
})
const outcome = await hub.wait(asked)
console.log(outcome.status === "completed" ? `Releasing to ${outcome.content.environment}.` : "Nothing was released.")
await hub.close()
