import "../process/node-version";
import "../provider-process/compile-cache";
import { endIfEngineDisappears, rowLogOfThisProcess } from "../provider-process/engine-process";
import { ProviderService } from "./provider-service";
import { serve } from "./serve";

const service = new ProviderService(rowLogOfThisProcess());
serve((protocol) => service.handlers(protocol));
endIfEngineDisappears();
