import * as does from "./actions";
import { requests, type RequestPattern } from "./exchange";
import type { FaultProxy } from "./fault-proxy";

/** A service whose operations can be told to fail. */
interface Service {
  fault(fault: { readonly path: string; readonly operation: "fail" }): Promise<void>;
}

/** Something that goes wrong with a request that changes or deletes an object. */
export interface Mishap {
  /** Completes "when …". */
  readonly title: string;
  /** True if the service carries the request out. */
  readonly isMade: boolean;
  /** True if the service refuses the request. */
  readonly isRefusal?: true;
  /** True if an operation goes wrong, not an answer. */
  readonly isOfOperation: boolean;
  /** Applies it to the requests of the pattern, until the proxy's rules are removed. */
  befall(proxy: FaultProxy, pattern: RequestPattern, service: Service): void;
}

/** All that can go wrong with a request, with and without the effect. */
export const mishaps: readonly Mishap[] = [
  {
    title: "its response is lost before the effect",
    isMade: false,
    isOfOperation: false,
    befall: (proxy, pattern) => proxy.on(pattern, does.dropBefore),
  },
  {
    title: "it is refused",
    isMade: false,
    isRefusal: true,
    isOfOperation: false,
    befall: (proxy, pattern) => proxy.on(pattern, does.refuse),
  },
  {
    title: "its response is lost after the effect",
    isMade: true,
    isOfOperation: false,
    befall: (proxy, pattern) => proxy.on(pattern, does.dropAfter),
  },
  {
    title: "its second delivery is refused after the effect of the first",
    isMade: true,
    isOfOperation: false,
    befall: (proxy, pattern) => proxy.on(pattern, does.answerAfter(422)),
  },
  {
    title: "its second delivery is answered 404 after the effect of the first",
    isMade: true,
    isOfOperation: false,
    befall: (proxy, pattern) => proxy.on(pattern, does.hiddenAfter),
  },
  ...[does.failedOperations, does.forgottenOperations].flatMap((operations) =>
    [false, true].map((isMade): Mishap => ({
      title: `its operation ${operations === does.failedOperations ? "fails" : "vanishes"} ${isMade ? "after" : "without"} the effect`,
      isMade,
      isOfOperation: true,
      befall: (proxy, pattern, service) =>
        proxy.on(pattern, async (request, forward) => {
          if (!isMade) await service.fault({ path: `^${request.path}$`, operation: "fail" });
          proxy.on(requests.operations, operations);
          return forward();
        }),
    })),
  ),
];
