import "../process/node-version";
import "../plugin/compile-cache";
import { endIfEngineDisappears, rowLogOfThisProcess } from "../plugin/engine-process";
import { ProviderService } from "./provider-service";
import { serve } from "./serve";

const service = new ProviderService(rowLogOfThisProcess());
serve((protocol) => service.handlers(protocol));
endIfEngineDisappears();
