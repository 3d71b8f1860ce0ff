import { storageUse } from "../../src/resources/volume-type";

it("the storage of each kind is counted for itself, and a volume whose size nobody knows takes nothing", () => {
  const volumes = [{ type: "abs", size: 100 }, { type: "abs" }, { type: "nvme", size: 20 }, { size: 7 }];
  expect(storageUse(volumes)).toEqual({ "storage.abs": 100, "storage.local_nvme": 20 });
});
