import { defaultsOf } from "../kind/defaults";
import { howToConfigure, type ConfigKey } from "../../engine/config-keys";
import type { Settings } from "../../settings/config";
import type { Finding, Props, ResourceKind } from "../kind/kind";

/** The settings that can give an argument. */
const STAND_INS = ["projectId", "region"] as const satisfies readonly ConfigKey[];

/** For a missing required argument that the configuration can give, the finding says how. */
export function tellHowToConfigure(
  kind: ResourceKind,
  settings: Settings,
  inputs: Props,
  findings: readonly Finding[],
): readonly Finding[] {
  return findings.map((finding) => {
    const { field } = finding;
    const key = inputs[field] === undefined ? settingFor(kind, settings, field) : undefined;
    if (key === undefined) return finding;
    return { ...finding, reason: `is required: give it, or ${howToConfigure(key, settings.provider)}` };
  });
}

function settingFor(kind: ResourceKind, settings: Settings, field: string): ConfigKey | undefined {
  const without = { ...settings, projectId: undefined, region: undefined };
  return STAND_INS.find((key) => {
    const [given, silent] = [{ ...without, [key]: "given" }, without].map((each) => defaultsOf(kind, each));
    return given !== undefined && field in given && !(silent && field in silent);
  });
}
