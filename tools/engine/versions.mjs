/** The engine that a machine gets if it has none. modules/cli-<version> builds it, and the two below. */
export const PULUMI_VERSION = "3.230.0";

/** The oldest engine with which the life of every kind works, with both providers. */
export const OLDEST_PULUMI = "3.200.0";

/** The newest engine with which the same was tried. The Go module proxies have no newer one. */
export const NEWEST_PULUMI = "3.259.0";

/** The last release whose `sdk` module holds the language hosts for Node and Python; they serve the engine above. */
export const LANGUAGE_HOST_VERSION = "3.68.0";

/** The language host for YAML programs. It builds together with the engine above. */
export const YAML_HOST_VERSION = "1.30.0";

/** A release whose `sdk` module still holds the language host for Go. */
export const GO_HOST_VERSION = "3.64.0";

/** Pulumi's SDK for Python programs. */
export const PYTHON_SDK_VERSION = "3.272.0";

/** The type checker of the tests of Python programs. */
export const MYPY_VERSION = "2.4.1";

/** The minimum that the Python SDK requires. */
export const OLDEST_PYTHON = "3.10";

/** The minimum that the engine's own go.mod requires. */
export const OLDEST_GO = "1.25.8";

/** True if the dotted version `have` is at least `wanted`. */
export function atLeast(have, wanted) {
  const [a, b] = [have, wanted].map((version) => version.split(".").map((part) => Number.parseInt(part, 10) || 0));
  for (let i = 0; i < b.length; i++) {
    if ((a[i] ?? 0) !== b[i]) return (a[i] ?? 0) > b[i];
  }
  return true;
}
