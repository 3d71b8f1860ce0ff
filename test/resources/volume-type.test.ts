import { storageUse } from "../../src/resources/volume";
import { otherStorage, storage } from "../kinds/volume";

it("counts storage by type, and nothing of unknown sizes", () => {
  const volumes = [{ type: storage, size: 100 }, { type: storage }, { type: otherStorage, size: 20 }, { size: 7 }];
  expect(storageUse(volumes)).toEqual({ "storage.abs": 100, "storage.local_nvme": 20 });
});
