// Describes the HTTP API for its OpenAPI document, from the table of its routes.

import { type DescribedApi, toOpenApi } from "./document.ts"
import { schemas } from "./schemas.ts"

export const describeApi = (routes: DescribedApi["routes"]) =>
  toOpenApi({
    title: "Holdpoint HTTP API",
    description: "Ask people, and wait for their answers. New members may be added to any response body.",
    routes,
    schemas,
    idOf: "question",
    securitySchemes: {
      programKey: { type: "http", scheme: "bearer", description: "The key of a program: hp_…" },
      token: { type: "http", scheme: "bearer", description: "A person's token that was issued for /api." },
      session: { type: "apiKey", in: "cookie", name: "__Host-hp_session", description: "For pages of this origin." },
    },
  })
