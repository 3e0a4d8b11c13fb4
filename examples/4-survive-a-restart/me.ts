// The person whom both processes ask.

import type { Principal } from "@holdpoint/sdk"

export const me: Principal = { tenant: "local", issuer: "this-machine", subject: "me" }
