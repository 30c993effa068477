# flake8: noqa

# import apis into api package
from cardstock_client.api.operations_api import OperationsApi
from cardstock_client.api.sandbox_api import SandboxApi
from cardstock_client.api.webhooks_api import WebhooksApi

