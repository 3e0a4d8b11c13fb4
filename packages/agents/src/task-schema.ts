// The arguments of a tool that gives a task to another agent, local or remote.

export const taskSchema = {
  type: "object",
  properties: {
    task: { type: "string", description: "What the agent has to do, with everything that it needs to know" },
  },
  required: ["task"],
  additionalProperties: false,
}
