#include <glog/logging.h>
#include <spdlog/spdlog.h>
#include <weir/logs/glog.h>
#include <weir/logs/spdlog.h>

/// Writes a line to standard output by spdlog, and one to standard error by glog.
int main(int, char** arguments) {
    FLAGS_logtostderr = true;
    google::InitGoogleLogging(arguments[0]);
    spdlog::set_pattern("%l: %v");
    const auto one = weir::logs::to_spdlog(spdlog::default_logger());
    const auto other = weir::logs::to_glog();
    one->write(weir::server::Severity::warning, "by spdlog");
    other->write(weir::server::Severity::warning, "by glog");
}
