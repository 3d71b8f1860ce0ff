import "../node-version";
import "../compile-cache";
import { rowLogOfThisProcess } from "../engine-process";
import { ProviderService } from "./provider-service";
import { serve } from "./serve";

const service = new ProviderService(rowLogOfThisProcess());
serve((protocol) => service.handlers(protocol));
