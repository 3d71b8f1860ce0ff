import { languageHost } from "../../../../tools/sdk/python-environment.cjs";

/**
 * `describe`, or `describe.skip` with a sentence if the language host is missing, which `npm run test:all` builds if it
 * can.
 */
export function describeWithHost(language: string): jest.Describe {
  if (languageHost(language) !== undefined) return describe;
  console.warn(`pulumi-language-${language} is not on PATH: the tests of ${language} programs are left out`);
  return describe.skip;
}
