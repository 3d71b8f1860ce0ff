import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ProcessResult, Sandbox, TOOLS } from "./sandbox";

export const ENGINE = join(TOOLS, "engine", "engine.mjs");

/** A sandbox for the step that finds, downloads or builds the engine. */
export class EngineSandbox extends Sandbox {
  addEngine(folder: string, version = "3.300.0", neighbours = ["language-nodejs", "resource-pulumi-nodejs"]): void {
    this.script(join(folder, "pulumi"), `echo v${version}`);
    for (const name of neighbours) this.script(join(folder, `pulumi-${name}`), "");
  }

  /**
   * A Go whose builds give a working pulumi. `onList` runs in each module, `onHost` when the language host is built.
   */
  addGo({ version = "1.26.0", onList = "", onHost = "" } = {}): void {
    const sdk = this.folder("sdk");
    for (const name of ["pulumi-resource-pulumi-nodejs", "pulumi-analyzer-policy"]) {
      this.write(`sdk/nodejs/dist/${name}`, "#!/bin/sh\n");
    }
    const log = join(this.root, "go.log");
    this.script(
      join(this.bin, "go"),
      `echo "$1 GOOS=$GOOS GOTOOLCHAIN=$GOTOOLCHAIN GOPATH=$GOPATH" >> ${log}
      for last; do :; done
      case "$*" in
        env*) echo go${version};;
        *" -m "*) echo ${sdk};;
        list*) ${onList || ":"};;
        build*)
          case "$last" in *language*) ${onHost || ":"};; esac
          version=$(echo "$*" | sed 's/.*Version=\\(v[0-9.]*\\) .*/\\1/')
          while [ "$1" != -o ]; do shift; done
          printf "#!/bin/sh\\necho $version\\n" > "$2"; chmod +x "$2";;
      esac`,
    );
  }

  /** A network in which Pulumi's installer runs this with `$root` and `$version`. */
  addNetwork(installer: string): void {
    this.write(
      "install.sh",
      `PATH=/usr/bin:/bin
      while [ $# -gt 0 ]; do
        case "$1" in --install-root) root=$2;; --version) version=$2;; esac
        shift
      done
      ${installer}\n`,
    );
  }

  /** The environment of a process. Without `addNetwork`, each request of Node fails, as without a network. */
  network(): Record<string, string> {
    const preload = this.write(
      "network.cjs",
      `const { existsSync, readFileSync } = require("node:fs");
      globalThis.fetch = async (url) => {
        const file = ${JSON.stringify(join(this.root, "install.sh"))};
        if (url !== "https://get.pulumi.com/install.sh" || !existsSync(file)) throw new TypeError("fetch failed");
        return new Response(readFileSync(file));
      };`,
    );
    return { NODE_OPTIONS: `--require ${preload}` };
  }

  /** Runs the step: finds an engine, or gets one. */
  ensure(env?: Record<string, string | undefined>): Promise<ProcessResult> {
    return this.run([ENGINE], { ...this.network(), ...env });
  }

  /** The engines in the cache, and other remaining files. */
  leftInCache(): readonly string[] {
    const parent = dirname(this.engineFolder);
    return existsSync(parent) ? readdirSync(parent) : [];
  }
}
