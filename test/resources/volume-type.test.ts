import { storageUse } from "../../src/resources/volume-type";
import { otherStorage, storage } from "../kinds/volume";

it("the storage of each kind is counted for itself, and a volume whose size nobody knows takes nothing", () => {
  const volumes = [{ type: storage, size: 100 }, { type: storage }, { type: otherStorage, size: 20 }, { size: 7 }];
  expect(storageUse(volumes)).toEqual({ "storage.abs": 100, "storage.local_nvme": 20 });
});
