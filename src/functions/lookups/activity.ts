import { instant, integer, object, openOneOf, text } from "../../definition/field";
import { times } from "../../definition/standard-fields";
import { all, outputForm, shape, shapeAs, type ArgsOf, type ResultOf } from "../lookup";
import { int, word } from "./filters";

const auditLogShape = shape({
  /** The id of the entry. */
  id: text(),
  /** The action, in the form `resource.verb`. */
  action: text(),
  /** The address of the client. */
  clientIp: text(),
  /** The HTTP method. */
  method: text(),
  /** The path of the request. */
  path: text(),
  /** The HTTP status of the answer. */
  statusCode: integer(),
  /** The client, as it names itself. */
  userAgent: text(),
  /** When the request came: ISO 8601, UTC. */
  createdAt: instant(),
  /** The caller. */
  actor: object({
    /** The id of the user or of the API key. */
    id: text(),
    /** Its name, if the log has it. */
    name: text({ optional: true }),
    /** Whether it is a user or an API key. */
    type: openOneOf(["user", "api_key"]),
  }),
  /** The object that the request is about, if there is one. */
  target: object(
    {
      /** The id of the object. */
      id: text(),
      /** The kind of the object. */
      type: text(),
    },
    { optional: true, shown: "maybe" },
  ),
});
export interface AuditLogResult extends ResultOf<typeof auditLogShape> {}
/** The requests to the API, and their callers. Rejects if the key lacks `audit_log:read`. */
export const getAuditLogs = all("getAuditLogs", {
  path: "/v1/audit_logs",
  args: {
    /** Only requests with this action, in the form `resource.verb`. */
    action: word,
    /** Only requests by the user or the API key with this id. */
    actorId: word,
    /** Only requests by actors of this type: `user` or `api_key`. */
    actorType: word,
    /** Only requests from this address. */
    clientIp: word,
    /** Only requests with this HTTP method, such as `POST`. */
    method: word,
    /** Only requests with this text in their paths. */
    path: word,
    /** Only requests whose answer had at least this HTTP status. */
    statusCodeMin: int,
    /** Only requests whose answer had at most this HTTP status. */
    statusCodeMax: int,
    /** Only requests about the object with this id. */
    targetId: word,
    /** Only requests about objects of this kind, such as `vpc`. */
    targetType: word,
  },
  sharedArgs: ["createdAtMin", "createdAtMax", "sort"],
  result: shapeAs<AuditLogResult>(auditLogShape),
});
export interface GetAuditLogsArgs extends ArgsOf<typeof getAuditLogs> {}
/** The output form of `getAuditLogs`: it accepts Inputs and returns an Output. */
export const getAuditLogsOutput = outputForm(getAuditLogs);
export interface GetAuditLogsOutputArgs extends ArgsOf<typeof getAuditLogsOutput> {}

const operationShape = shape({
  /** The id of the operation. */
  id: text(),
  /** The kind of its object, such as `vm`. */
  kind: text(),
  /** The id of the project. */
  projectId: text(),
  /** The id of the object that it makes, changes or deletes. */
  resourceId: text(),
  /** The state of the operation. */
  status: openOneOf(["pending", "running", "done", "failed", "unknown"]),
  /** What it does. */
  type: openOneOf(["create", "update", "delete", "restart"]),
  ...times,
});
export interface OperationResult extends ResultOf<typeof operationShape> {}
/** The operations of a project, running and ended. */
export const getOperations = all("getOperations", {
  path: "/v1/operations",
  args: {
    /** Only operations on the object with this id. */
    resourceId: word,
    /** Only operations on objects of this kind, such as `vm`. */
    kind: word,
    /** Only operations in this state: `pending`, `running`, `done`, `failed` or `unknown`. */
    status: word,
    /** Only operations of this type: `create`, `update`, `delete` or `restart`. */
    type: word,
  },
  sharedArgs: ["projectId", "createdAtMin", "createdAtMax", "sort"],
  result: shapeAs<OperationResult>(operationShape),
});
export interface GetOperationsArgs extends ArgsOf<typeof getOperations> {}
/** The output form of `getOperations`: it accepts Inputs and returns an Output. */
export const getOperationsOutput = outputForm(getOperations);
export interface GetOperationsOutputArgs extends ArgsOf<typeof getOperationsOutput> {}
