// The person both processes know.

import type { Principal } from "holdpoint"

export const me: Principal = { tenant: "local", issuer: "this-machine", subject: "me" }
