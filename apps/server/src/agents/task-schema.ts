// The arguments of a tool that gives a task to another agent: of this configuration, or of others.

export const taskSchema = {
  type: "object",
  properties: { task: { type: "string", description: "What the agent is to do, with all that it has to know" } },
  required: ["task"],
  additionalProperties: false,
}
