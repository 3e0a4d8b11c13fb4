// The person that both processes know.

import type { Principal } from "@holdpoint/sdk"

export const me: Principal = { tenant: "local", issuer: "this-machine", subject: "me" }
