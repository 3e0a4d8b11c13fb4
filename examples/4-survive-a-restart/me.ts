// The person whom both processes ask.

import type { Principal } from "@holdpoint/hub"

export const me: Principal = { tenant: "local", issuer: "this-machine", subject: "me" }
